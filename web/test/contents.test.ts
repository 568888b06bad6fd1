import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPlaza, type Media } from '#sdk'
import { startApp } from '../../test/app.ts'
import { makeComment, makeContent } from '../../test/make.ts'
import { findLinked } from '../src/comments/linked.ts'
import { keepPoint, loadPoint, sourcesOf } from '../src/contents/player/playback.ts'

describe('a linked comment', async () => {
  const app = await startApp()
  const [ana, ben] = [await app.user(), await app.user()]
  const content = await makeContent(ana)
  const comments: { id: string }[] = []
  for (let i = 0; i < 23; i++) comments.push(await makeComment(ben, content.id))
  const top = comments[4]?.id ?? ''
  const reply = await makeComment(ana, content.id, { parent_id: top })
  const deep = await makeComment(ben, content.id, { parent_id: reply.id })

  const plaza = createPlaza({ url: app.url })
  const asked: number[] = []
  const find = (id: string) => {
    asked.length = 0
    return findLinked(id, (page) => {
      asked.push(page)
      return plaza.comments.list(content.id, { per_page: 3, page })
    })
  }

  test('is found on any page without reading all pages', async () => {
    for (const { id } of comments) {
      const found = await find(id)
      assert.deepEqual([found?.root.id, found?.path], [id, [id]])
      assert.ok(asked.length <= 5, `${asked.length} of 9 pages`)
    }
  })

  test('comes with its path from the top-level comment, and no page is read twice', async () => {
    const found = await find(deep.id)
    assert.equal(found?.root.id, top)
    assert.deepEqual(found?.path, [top, reply.id, deep.id])
    assert.equal(new Set(asked).size, asked.length)
  })

  test('is null when it was deleted or never existed', async () => {
    const [gone] = comments
    assert.ok(gone && (await find(gone.id)))
    await ben.delete(`/comments/${gone.id}`)
    assert.equal(await find(gone.id), null)
    for (const id of ['cmt_00000000000000000000000000', 'cmt_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'cmt_']) {
      assert.equal(await find(id), null)
    }
  })
})

describe('sources of a media file', () => {
  const file = (name: string): Media => ({
    upload_id: `upl_${name}`,
    url: name,
    original_url: null,
    mime_type: 'video/mp4',
    width: 720,
    height: 1280,
    duration_ms: 1000,
    size_bytes: 1,
    sizes: [],
  })
  const rendition = (url: string, width: number, height: number, mime_type = 'video/mp4') => ({
    url,
    width,
    height,
    mime_type,
  })

  test('are the renditions, best first, then the original file', () => {
    const made = [
      rendition('/uploads/a/1/480.mp4', 480, 854),
      rendition('/uploads/a/1/720.mp4', 720, 1280),
      rendition('/uploads/a/1/master.m3u8', 720, 1280, 'application/vnd.apple.mpegurl'),
    ]
    assert.deepEqual(
      sourcesOf(
        { ...file('/uploads/a/1/720.mp4'), original_url: '/uploads/a.mov' },
        made,
        true,
      ).map(({ url, quality }) => [url, quality]),
      [
        ['/uploads/a/1/720.mp4', '720p'],
        ['/uploads/a/1/480.mp4', '480p'],
        ['/uploads/a.mov', null],
      ],
    )
  })

  test('never contain renditions of another file', () => {
    const made = [
      rendition('/uploads/a/1/own.mp4', 720, 1280),
      rendition('/uploads/ab/1/own.mp4', 720, 1280),
    ]
    const urls = (medium: Media) => sourcesOf(medium, made, false).map(({ url }) => url)
    assert.deepEqual(urls(file('/uploads/a/1/own.mp4')), ['/uploads/a/1/own.mp4'])
    assert.deepEqual(urls(file('/uploads/c.mp3')), ['/uploads/c.mp3'])
  })
})

describe('stored playback position', () => {
  const kept = new Map<string, string>()
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    },
  })

  test('is kept unless it is near the beginning or the end', () => {
    keepPoint('upl_a', 42.7, 100)
    assert.equal(loadPoint('upl_a'), 42)
    keepPoint('upl_a', 95, 100)
    assert.equal(loadPoint('upl_a'), 0)
    keepPoint('upl_b', 3, 100)
    assert.equal(loadPoint('upl_b'), 0)
    assert.equal(loadPoint('upl_never'), 0)
  })

  test('is kept for the latest hundred files', () => {
    for (let i = 0; i < 120; i++) keepPoint(`upl_${i}`, 20, 100)
    assert.equal(loadPoint('upl_19'), 0)
    assert.equal(loadPoint('upl_20'), 20)
    assert.equal(loadPoint('upl_119'), 20)
  })

  test('is zero when the stored data cannot be read', () => {
    kept.set('plaza.resume', 'null')
    assert.equal(loadPoint('upl_119'), 0)
    kept.set('plaza.resume', '{')
    assert.equal(loadPoint('upl_119'), 0)
    keepPoint('upl_c', 20, 100)
    assert.equal(loadPoint('upl_c'), 20)
  })
})
