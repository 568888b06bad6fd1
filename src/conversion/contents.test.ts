import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, startApp, type TestApp } from '../../test/app.ts'
import {
  conversionOf,
  makeMediaContent,
  untilConverted,
  contentOf,
} from '../../test/conversions.ts'
import {
  assertError,
  dataOf,
  idsOf,
  makeApp,
  makeKey,
  program,
  suspend,
  times,
  valuesOf,
} from '../../test/make.ts'
import { deliveriesOf, makeWebhook, until } from '../../test/receiver.ts'
import { makeBrokenMp4, makePng, makeUpload, makeWav, served } from '../../test/uploads.ts'
import { bytesOf, ffmpeg, makeVideo, NO_FFMPEG } from '../../test/videos.ts'
import { publishConverted, publishStranded } from '../contents/conversion.ts'

import { Worker } from '../jobs/worker.ts'

const app = await startApp({ FFMPEG: NO_FFMPEG ? 'off' : 'ffmpeg' })
// Stops this server's worker, so that conversions stay queued until another server starts.
await app.deps.worker.close()

async function converting<T>(look: (server: TestApp) => Promise<T>): Promise<T> {
  const server = await app.sibling()
  try {
    return await look(server)
  } finally {
    await server.close()
  }
}

const unread = async (who: Actor, language = 'en') =>
  dataOf(await who.get('/notifications', { headers: { 'accept-language': language } }))
    .notifications as { type: string; message: string; link: string }[]
const countOf = async (who: Actor) =>
  dataOf(await app.anon.get(`/creators/${who.handle}`)).creator.content_count as number
const inFeed = async (id: string) =>
  idsOf(dataOf(await app.anon.get('/feeds?per_page=100')).feeds).includes(id)

describe('content whose media are converted', { skip: NO_FFMPEG }, () => {
  test('is visible only to its author until the conversion publishes it', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const { webhook } = await makeWebhook(ana, 'https://receiver.invalid/')
    const content = await makeMediaContent(ana, [makeVideo()], {
      title: `For @${ben.handle}`,
      tags: ['film'],
    })
    assert.deepEqual(
      [content.status, content.published_at, content.thumbnail_url],
      ['processing', null, null],
    )
    assert.equal((await contentOf(ana, content)).status, 'processing')
    for (const caller of [ben, app.anon]) {
      assertError(await caller.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
      assertError(await caller.get(`/contents/${content.id}/conversion`), 404, 'CONTENT_NOT_FOUND')
    }
    const mine = dataOf(await ana.get('/users/me/contents?status=processing')).feeds
    assert.deepEqual(idsOf(mine), [content.id])
    assert.equal(await inFeed(content.id), false)
    assert.deepEqual(await unread(ben), [])
    const waiting = await conversionOf(ana, content)
    assert.deepEqual(
      [waiting.status, waiting.progress, waiting.renditions, waiting.error],
      ['queued', 0, [], null],
    )

    const done = await converting(() => untilConverted(ana, content))
    assert.deepEqual([done.status, done.progress, done.error], ['completed', 1, null])
    assert.equal(done.renditions.length, 1)
    const [{ url, ...rendition }] = done.renditions
    assert.deepEqual(rendition, { mime_type: 'video/mp4', width: 64, height: 48 })
    const file = await fetch(app.url + url)
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'video/mp4'])
    assert.ok((await served(app, url)).includes('moov'))
    let stored = 0
    for await (const { sizeBytes } of app.deps.store.list('')) stored += sizeBytes
    const { storage } = dataOf(await ana.get('/auth/me')).user
    assert.equal(storage.used_bytes, stored)

    const now = await contentOf(app.anon, content)
    assert.equal(now.status, 'published')
    assert.ok(now.published_at > content.created_at)
    const [medium] = now.media
    const size_bytes = (await served(app, url)).length
    const shown = {
      url,
      original_url: null,
      mime_type: 'video/mp4',
      width: 64,
      height: 48,
      size_bytes,
    }
    assert.deepEqual({ ...medium, ...shown }, medium)
    assert.match(now.thumbnail_url, /\/poster\.webp$/)
    assert.equal((await served(app, now.thumbnail_url)).subarray(8, 12).toString(), 'WEBP')
    assert.equal(await inFeed(content.id), true)
    assert.equal(await countOf(ana), 1)
    assert.equal((await unread(ben)).length, 1)
    assert.equal((await deliveriesOf(ana, webhook.id)).length, 1)
    assert.deepEqual((await conversionOf(app.anon, content)).renditions, done.renditions)

    const next = await makeMediaContent(ana, [], { upload_ids: [now.media[0].upload_id] })
    assert.deepEqual([next.status, next.thumbnail_url], ['published', now.thumbnail_url])
  })

  test('becomes a draft again when the conversion fails, and its author learns why', async () => {
    const ana = await app.user()
    const good = makeVideo()
    const content = await makeMediaContent(ana, [good, makeBrokenMp4()], {
      type: 'article',
      title: 'Two films',
    })
    assert.equal(content.status, 'processing')
    const failed = await converting(() => untilConverted(ana, content))
    assert.equal(failed.status, 'failed')
    assert.match(failed.error, /damaged/)
    assert.match((await conversionOf(ana, content, 'ko')).error, /손상/)
    assert.equal((await contentOf(ana, content)).status, 'draft')
    assertError(await app.anon.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
    const [notification, ...more] = await unread(ana)
    assert.deepEqual(more, [])
    assert.deepEqual(
      [notification?.type, notification?.link],
      ['system', `/contents/${content.id}`],
    )
    assert.match(notification?.message ?? '', /“Two films”.*damaged/)
    assert.match((await unread(ana, 'ko'))[0]?.message ?? '', /“Two films”.*손상/)
    assertError(
      await ana.patch(`/contents/${content.id}`, { status: 'published' }),
      409,
      'CONTENT_NOT_READY',
    )
    assert.equal((await contentOf(ana, content)).status, 'draft')
    assert.equal(await countOf(ana), 0)
    const alone = await makeMediaContent(ana, [good])
    await converting(() => untilConverted(ana, alone))
    assert.equal((await contentOf(app.anon, alone)).status, 'published')
  })

  test('stays a draft, unless its author asked to publish it during the conversion', async () => {
    const ana = await app.user()
    const video = makeVideo()
    const [draft, publishing] = [
      await makeMediaContent(ana, [video], { publish: false }),
      await makeMediaContent(ana, [video], { publish: false }),
    ]
    assert.deepEqual([draft.status, publishing.status], ['draft', 'draft'])
    assert.equal((await conversionOf(ana, draft)).status, 'queued')
    const patched = dataOf(
      await ana.patch(`/contents/${publishing.id}`, { status: 'published', title: 'Now' }),
    )
    assert.deepEqual(
      [patched.content.status, patched.content.title, patched.content.published_at],
      ['processing', 'Now', null],
    )
    assertError(
      await ana.patch(`/contents/${publishing.id}`, { status: 'published' }),
      422,
      'VALIDATION_ERROR',
    )
    await converting(() => untilConverted(ana, draft))
    assert.equal((await contentOf(app.anon, publishing)).status, 'published')
    const still = await contentOf(ana, draft)
    assert.equal(still.status, 'draft')
    assert.match(still.thumbnail_url, /poster/)
    const published = dataOf(
      await ana.patch(`/contents/${draft.id}`, { status: 'published' }),
    ).content
    assert.equal(published.status, 'published')
  })

  test('stays a draft when a test key created it', async () => {
    const ana = await app.user()
    const { id } = await makeApp(ana, { scopes: ['contents:write'] })
    const { raw_key } = await makeKey(ana, id, { environment: 'test' })
    const upload = await makeUpload(ana, bytesOf(makeVideo()))
    const body = { category: 'hype', type: 'video', title: 'Trial', upload_ids: [upload.id] }
    const { content } = dataOf(await program(app, raw_key).post('/contents', body), 201)
    await converting(() => untilConverted(ana, content))
    assert.equal((await contentOf(ana, content)).status, 'draft')
  })

  test('stays archived or hidden when archived or its author suspended meanwhile', async () => {
    const [ana, ben, cara] = [await app.user(), await app.user(), await app.user()]
    const video = makeVideo()
    const gone = await makeMediaContent(ana, [video])
    const hidden = await makeMediaContent(ben, [video])
    // Without this third content item, the server would cancel the conversion.
    const shown = await makeMediaContent(cara, [video])
    assert.equal((await ana.delete(`/contents/${gone.id}`)).status, 204)
    await suspend(app, ben)
    await converting(() => untilConverted(cara, shown))
    const statuses = await app.sql(
      `select id, status, is_public from contents join content_stats on content_id = id where id in ('${gone.id}', '${hidden.id}') order by id`,
    )
    assert.deepEqual(
      statuses.map(({ status, is_public }) => [status, Number(is_public)]),
      [
        ['archived', 0],
        ['published', 0],
      ],
    )
    assertError(await app.anon.get(`/contents/${hidden.id}`), 404, 'CONTENT_NOT_FOUND')
  })

  test('keeps the thumbnail that the author chose', async () => {
    const ana = await app.user()
    const picture = await makeUpload(ana, await makePng())
    const content = await makeMediaContent(ana, [makeVideo()], { thumbnail_upload_id: picture.id })
    await converting(() => untilConverted(ana, content))
    assert.equal((await contentOf(ana, content)).thumbnail_url, content.thumbnail_url)
    const own = dataOf(
      await ana.patch(`/contents/${content.id}`, { thumbnail_upload_id: null }),
    ).content
    assert.match(own.thumbnail_url, /poster/)
  })

  test('converts only audio that browsers cannot play', async () => {
    const ana = await app.user()
    const tone = ['-f', 'lavfi', '-i', 'sine=duration=0.2']
    const web = [
      makeWav(),
      ffmpeg('mp3', tone),
      ffmpeg('m4a', tone, '-c:a', 'aac'),
      ffmpeg('ogg', tone, '-c:a', 'libopus'),
      ffmpeg('flac', tone),
    ]
    for (const file of web) {
      const { status, ...content } = await makeMediaContent(ana, [file], { type: 'audio' })
      assert.equal(status, 'published', String(file))
      assert.equal((await conversionOf(ana, content as { id: string })).status, 'not_required')
    }
    const adpcm = await makeMediaContent(ana, [ffmpeg('wav', tone, '-c:a', 'adpcm_ms')], {
      type: 'audio',
    })
    assert.equal(adpcm.status, 'processing')
    const alac = ffmpeg('m4a', '-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'alac')
    const content = await makeMediaContent(ana, [alac], { type: 'audio' })
    assert.equal(content.status, 'processing')
    const { renditions } = await converting(() => untilConverted(ana, content))
    assert.deepEqual(valuesOf(renditions, 'mime_type'), ['audio/mp4'])
    assert.equal((await contentOf(app.anon, content)).status, 'published')
  })

  test('converts a file of many contents once, by any server, and publishes each content once', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const upload = await makeUpload(ana, bytesOf(makeVideo({ seconds: 3, size: '160x120' })))
    const make = (i: number) =>
      makeMediaContent(ana, [], { upload_ids: [upload.id], title: `${i} @${ben.handle}` })
    const early = await times(60, make)
    const others = await Promise.all([app.sibling(), app.sibling()])
    const late = await times(20, make)
    await untilConverted(ana, early[0])
    const ids = idsOf([...early, ...late])
    const waiting = async () =>
      dataOf(await ana.get('/users/me/contents?status=processing')).feeds.length
    // A publication that a server misses is repeated after at most a minute.
    await until(async () => (await waiting()) === 0, 'the last publication', 120_000)
    await Promise.all(others.map((server) => server.close()))
    assert.equal(await countOf(ana), ids.length)
    assert.equal(dataOf(await ben.get('/notifications')).unread_count, ids.length)
    const [job] = await app.sql(
      `select attempts, status from jobs where subject = '${upload.sha256}'`,
    )
    assert.deepEqual([Number(job?.['attempts']), job?.['status']], [1, 'completed'])
    const paths = await Array.fromAsync(
      app.deps.store.list(`${upload.sha256}/`),
      ({ path }) => path.split('/')[1],
    )
    assert.equal(new Set(paths).size, 1)
  })

  test('never stays in conversion, whatever its author does when the conversion ends', async () => {
    const ana = await app.user()
    const files = await times(12, () => makeUpload(ana, makeBrokenMp4()))
    const make = (upload: { id: string }, publish: boolean) =>
      makeMediaContent(ana, [], { upload_ids: [upload.id], publish })
    const [drafts, publishing] = [
      await Promise.all(files.map((file) => make(file, false))),
      await Promise.all(files.map((file) => make(file, true))),
    ]
    const worker = new Worker(app.db, () => app.clock.now(), app.deps.log)
    worker.handle('conversion', async ({ subject }) => async (tx) => {
      await publishConverted(tx, subject, app.clock.now())
    })
    worker.start()
    const [, , late] = await Promise.all([
      Promise.all(drafts.map(({ id }) => ana.patch(`/contents/${id}`, { status: 'published' }))),
      Promise.all(publishing.slice(0, 6).map(({ id }) => ana.delete(`/contents/${id}`))),
      Promise.all(files.map((file) => make(file, true))),
    ])
    for (const { id } of publishing) await untilConverted(ana, { id })
    await worker.close()
    const statusOf = async ({ id }: { id: string }) => (await contentOf(ana, { id })).status
    const statuses = await Promise.all([...drafts, ...publishing.slice(6), ...late].map(statusOf))
    assert.deepEqual(new Set(statuses), new Set(['published']))
    assert.deepEqual(
      new Set(await Promise.all(publishing.slice(0, 6).map(statusOf))),
      new Set(['archived']),
    )
    assert.equal(await countOf(ana), statuses.length)
  })

  test('is published unconverted when the server no longer converts', async () => {
    const ana = await app.user()
    const [waits, runs] = [
      await makeMediaContent(ana, [makeVideo()]),
      await makeMediaContent(ana, [makeVideo()]),
    ]
    await app.sql(
      `update jobs set status = 'processing', lease = 'elsewhere', due_at = ${app.clock.now() + 60_000} where subject in (select file_sha256 from content_media where content_id = '${runs.id}')`,
    )
    await publishStranded(app.db, app.clock.now(), false)
    assert.equal((await contentOf(app.anon, waits)).status, 'published')
    assert.equal((await contentOf(ana, runs)).status, 'processing')
  })

  test('leaves every counter equal to its rows', async () => {
    assert.deepEqual(await app.drifted(), [])
  })
})
