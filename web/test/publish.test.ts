import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Upload, UploadOptions } from '#sdk'
import { PlazaError } from '#sdk'
import { kindOf, misfitsOf, typeOf } from '../src/publish/kinds.ts'
import { withTags } from '../src/publish/tags.ts'
import { type Entry, UploadQueue } from '../src/publish/uploads.ts'
import { afterSave, changesOf, EMPTY, inputOf, mistakesIn, titleFrom } from '../src/publish/work.ts'

const file = (name: string, type = '') => new File(['some bytes'], name, { type })

test('A file is told by its type or its name, and what is not taken by its reason', () => {
  assert.equal(kindOf(file('a.PNG')), 'picture')
  assert.equal(kindOf(file('a', 'video/mp4')), 'video')
  assert.equal(kindOf(file('a.flac')), 'sound')
  assert.equal(kindOf(file('a.swf')), 'bundle')
  assert.equal(kindOf(file('a.heic', 'image/heic')), 'heic')
  assert.equal(kindOf(file('a.mkv')), 'film')
  assert.equal(kindOf(file('game.rar')), 'archive')
  assert.equal(kindOf(file('index.html', 'text/html')), 'page')
  assert.equal(kindOf(file('notes')), 'other')
  assert.equal(kindOf(new File([], 'a.png')), 'empty')
})

test('What becomes of files follows from their kinds', () => {
  assert.equal(typeOf([], false), undefined)
  assert.equal(typeOf(['picture', 'picture'], false), 'image')
  assert.equal(typeOf(['video', 'sound'], false), 'article')
  assert.equal(typeOf(['picture', 'bundle'], false), 'game')
  assert.equal(typeOf(['picture'], true), 'article')
  assert.deepEqual(misfitsOf(['bundle', 'picture', 'video', 'bundle'], 'game'), [2, 3])
  assert.deepEqual(misfitsOf(['picture', 'bundle'], 'article'), [1])
  assert.deepEqual(misfitsOf(['picture', 'picture'], 'image'), [])
})

test('Tags are added once each, without the sign, and no more than a work may have', () => {
  assert.deepEqual(withTags([], ' #Seoul, 한강 ,seoul,, '), ['Seoul', '한강'])
  const full = Array.from({ length: 10 }, (_, at) => `t${at}`)
  assert.equal(withTags(full, 'one more'), full)
  assert.equal(withTags(['Seoul'], 'SEOUL')[1], undefined)
})

test('A work is sent as the API takes it, a game with what only games have', () => {
  const work = { ...EMPTY, title: 'T', controls: ' ← → \n\nSpace', body: 'x' }
  const made = { category: 'jump', uploadIds: ['u'], thumbnailId: null, publish: false } as const
  const game = inputOf(work, { ...made, type: 'game' })
  assert.deepEqual(game.game, { entry: null, orientation: 'any', controls: ['← →', 'Space'] })
  assert.ok(!('body' in game))
  const article = inputOf(work, { ...made, type: 'article', category: 'hype' })
  assert.equal(article.body, 'x')
  assert.ok(!('game' in article))
})

test('Only what was changed is sent, and an emptied text takes the old one away', () => {
  const before = { ...EMPTY, title: 'A', description: 'old', tags: ['x'] }
  assert.deepEqual(changesOf(before, before), {})
  assert.deepEqual(changesOf(before, { ...before, description: ' ', tags: [] }), {
    description: null,
    tags: [],
  })
})

test('What is typed while it is saved stays; the rest is as it was saved', () => {
  const sent = { ...EMPTY, title: ' River ', description: 'wet' }
  const now = { ...sent, description: 'wet, then dry' }
  const saved = { ...EMPTY, title: 'River', description: 'wet', tags: ['of another tab'] }
  const after = afterSave(now, sent, saved)
  assert.deepEqual(after, { ...saved, description: 'wet, then dry' })
  assert.deepEqual(changesOf(saved, after), { description: 'wet, then dry' })
})

test('Mistakes are found before anything is sent', () => {
  assert.deepEqual(mistakesIn(EMPTY), { title: 'titleMissing' })
  assert.deepEqual(mistakesIn({ ...EMPTY, title: '👍'.repeat(120) }), {})
  assert.equal(mistakesIn({ ...EMPTY, title: 'a'.repeat(121) }).title, 'titleLong')
  assert.equal(titleFrom('my_summer-film.final.mp4'), 'my summer film.final')
})

/** Uploads that end when the test says so. */
function slowUploads() {
  const under = new Map<string, { end: (error?: Error) => void; options: UploadOptions }>()
  const queue = new UploadQueue(
    (sent, options) =>
      new Promise<Upload>((resolve, reject) => {
        const stop = () => reject(new PlazaError('ABORTED', 'stopped'))
        options.signal?.addEventListener('abort', stop)
        const end = (error?: Error) =>
          error ? reject(error) : resolve({ id: `upl_${sent.name}` } as Upload)
        under.set(sent.name, { end, options })
      }),
  )
  const states = () => queue.snapshot.entries.map(({ state }: Entry) => state)
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { queue, under, states, settle }
}

test('Two files are sent at a time, and the next when one is there', async () => {
  const { queue, under, states, settle } = slowUploads()
  queue.add([file('a.png'), file('b.png'), file('c.png'), file('d.heic')])
  assert.deepEqual(states(), ['sending', 'sending', 'waiting'])
  assert.deepEqual(
    queue.snapshot.refused.map(({ why }) => why),
    ['heic'],
  )
  under.get('a.png')?.options.onProgress?.({ sent: 5, total: 10 })
  assert.equal(queue.snapshot.entries[0]?.sent, 5)
  under.get('a.png')?.end()
  await settle()
  assert.deepEqual(states(), ['done', 'sending', 'sending'])
  assert.equal(queue.snapshot.entries[0]?.upload?.id, 'upl_a.png')
  queue.clear()
})

test('A file that was stopped or failed can be sent again, and one that was removed stays away', async () => {
  const { queue, under, states, settle } = slowUploads()
  queue.add([file('a.png'), file('b.png')])
  const [a, b] = queue.snapshot.entries.map(({ key }) => key) as [number, number]
  queue.stop(a)
  under.get('b.png')?.end(new PlazaError('NETWORK', 'away'))
  await settle()
  assert.deepEqual(states(), ['stopped', 'failed'])
  queue.retry(a)
  queue.retry(b)
  under.get('a.png')?.end()
  queue.remove(b)
  await settle()
  assert.deepEqual(states(), ['done'])
})

test('A file that could not be sent since somebody else signed in says so', async () => {
  const { queue, under, states, settle } = slowUploads()
  queue.add([file('a.png'), file('b.png')])
  const error = new PlazaError('ABORTED', 'Somebody else has signed in meanwhile.')
  under.get('a.png')?.end(error)
  await settle()
  assert.deepEqual(states(), ['failed', 'sending'])
  assert.equal(queue.snapshot.entries[0]?.error, error)
  queue.clear()
})

test('Files keep the order that they were given', async () => {
  const { queue } = slowUploads()
  queue.add([file('a.png'), file('b.png')])
  const names = () => queue.snapshot.entries.map((entry) => entry.file.name)
  const first = queue.snapshot.entries[0]?.key ?? 0
  queue.move(first, -1)
  assert.deepEqual(names(), ['a.png', 'b.png'])
  queue.move(first, 1)
  assert.deepEqual(names(), ['b.png', 'a.png'])
  queue.clear()
})
