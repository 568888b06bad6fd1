import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Upload, UploadOptions } from '#sdk'
import { PlazaError } from '#sdk'
import { isOvertaken, merge, readEditDraft, readNewDraft } from '../src/publish/draft.ts'
import {
  afterSave,
  changesOf,
  differenceOf,
  EMPTY,
  inputOf,
  kindOf,
  misfitsOf,
  mistakesIn,
  titleFrom,
  typeOf,
  withTags,
} from '../src/publish/content.ts'
import { type Entry, SpeedMeter, UploadQueue } from '../src/publish/uploads.ts'
import { valuesOf } from '../../test/make.ts'

const file = (name: string, type = '') => new File(['some bytes'], name, { type })

test('a file’s kind follows from its type or name, and a rejected file has a reason', () => {
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

test('the content type follows from the files’ kinds', () => {
  assert.equal(typeOf([], false), undefined)
  assert.equal(typeOf(['picture', 'picture'], false), 'image')
  assert.equal(typeOf(['video', 'sound'], false), 'article')
  assert.equal(typeOf(['picture', 'bundle'], false), 'game')
  assert.equal(typeOf(['picture'], true), 'article')
  assert.deepEqual(misfitsOf(['bundle', 'picture', 'video', 'bundle'], 'game'), [2, 3])
  assert.deepEqual(misfitsOf(['picture', 'bundle'], 'article'), [1])
  assert.deepEqual(misfitsOf(['picture', 'picture'], 'image'), [])
})

test('tags are added once each, without the # sign, up to the maximum', () => {
  assert.deepEqual(withTags([], ' #Seoul, 한강 ,seoul,, '), ['Seoul', '한강'])
  const full = Array.from({ length: 10 }, (_, index) => `t${index}`)
  assert.equal(withTags(full, 'one more'), full)
  assert.equal(withTags(['Seoul'], 'SEOUL')[1], undefined)
})

test('content is sent in the API’s format, with game fields for games only', () => {
  const content = { ...EMPTY, title: 'T', controls: ' ← → \n\nSpace', body: 'x' }
  const made = { category: 'jump', uploadIds: ['u'], thumbnailId: null, publish: false } as const
  const game = inputOf(content, { ...made, type: 'game' })
  assert.deepEqual(game.game, { entry: null, orientation: 'any', controls: ['← →', 'Space'] })
  assert.ok(!('body' in game))
  const article = inputOf(content, { ...made, type: 'article', category: 'hype' })
  assert.equal(article.body, 'x')
  assert.ok(!('game' in article))
})

test('only changed fields are sent, and an emptied text is sent as null', () => {
  const before = { ...EMPTY, title: 'A', description: 'old', tags: ['x'] }
  assert.deepEqual(changesOf(before, before), {})
  assert.deepEqual(changesOf(before, { ...before, description: ' ', tags: [] }), {
    description: null,
    tags: [],
  })
})

test('input typed while saving is kept, and the rest takes the saved values', () => {
  const sent = { ...EMPTY, title: ' River ', description: 'wet' }
  const now = { ...sent, description: 'wet, then dry' }
  const saved = { ...EMPTY, title: 'River', description: 'wet', tags: ['of another tab'] }
  const after = afterSave(now, sent, saved)
  assert.deepEqual(after, { ...saved, description: 'wet, then dry' })
  assert.deepEqual(changesOf(saved, after), { description: 'wet, then dry' })
})

test('invalid fields are found before sending', () => {
  assert.deepEqual(mistakesIn(EMPTY), { title: 'titleMissing' })
  assert.deepEqual(mistakesIn({ ...EMPTY, title: '👍'.repeat(120) }), {})
  assert.equal(mistakesIn({ ...EMPTY, title: 'a'.repeat(121) }).title, 'titleLong')
  assert.equal(titleFrom('my_summer-film.final.mp4'), 'my summer film.final')
})

test('a version from elsewhere is combined field by field, and a field changed on both sides is reported', () => {
  const sent = { ...EMPTY, title: 'River ', body: 'wet', controls: 'Space' }
  const stored = { ...sent, title: 'River', controls: '' }
  const now = { ...sent, body: 'wet, then dry', orientation: 'portrait' } as const
  const elsewhere = { ...stored, title: 'The river', tags: ['water'] }
  assert.deepEqual(merge({ sent, stored }, now, elsewhere), {
    values: { ...now, title: 'The river', tags: ['water'] },
    isOvertaken: false,
  })
  const rival = { ...elsewhere, body: 'cold' }
  const { values, isOvertaken: isBehind } = merge({ sent, stored }, now, rival)
  assert.deepEqual([values.body, values.title, isBehind], ['wet, then dry', 'The river', true])
  // The server removes spaces at the ends, which must not count as a change from elsewhere.
  const retitled = { ...now, title: 'River bank' }
  assert.equal(merge({ sent, stored }, retitled, stored).isOvertaken, false)
})

/** Creates an upload queue whose uploads the test completes. */
function slowUploads() {
  const under = new Map<string, { end: (error?: Error) => void; options: UploadOptions }>()
  const paused: (() => void)[] = []
  const queue = new UploadQueue({
    send: (sent, options) =>
      new Promise<Upload>((resolve, reject) => {
        const stop = () => reject(new PlazaError('ABORTED', 'stopped'))
        options.signal?.addEventListener('abort', stop)
        const end = (error?: Error) =>
          error ? reject(error) : resolve({ id: `upl_${sent.name}` } as Upload)
        under.set(sent.name, { end, options })
      }),
    pause: (_, signal) =>
      new Promise((resolve, reject) => {
        paused.push(resolve)
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
    exists: async ({ id }) => id !== 'upl_gone.png',
  })
  const states = () => queue.snapshot.entries.map(({ state }: Entry) => state)
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
  return { queue, under, paused, states, nextTurn }
}

test('two files are uploaded at a time, and the next when one is done', async () => {
  const { queue, under, states, nextTurn } = slowUploads()
  queue.add([file('a.png'), file('b.png'), file('c.png'), file('d.heic')])
  assert.deepEqual(states(), ['sending', 'sending', 'waiting'])
  assert.deepEqual(valuesOf(queue.snapshot.refused, 'why'), ['heic'])
  under.get('a.png')?.options.onProgress?.({ sent: 5, total: 10 })
  assert.equal(queue.snapshot.entries[0]?.sent, 5)
  under.get('a.png')?.end()
  await nextTurn()
  assert.deepEqual(states(), ['done', 'sending', 'sending'])
  assert.equal(queue.snapshot.entries[0]?.upload?.id, 'upl_a.png')
  queue.clear()
})

test('a stopped or failed upload can be retried, and a removed file stays removed', async () => {
  const { queue, under, states, nextTurn } = slowUploads()
  queue.add([file('a.png'), file('b.png')])
  const [a, b] = queue.snapshot.entries.map(({ key }) => key) as [number, number]
  queue.stop(a)
  under.get('b.png')?.end(new PlazaError('INTERNAL_ERROR', 'broken'))
  await nextTurn()
  assert.deepEqual(states(), ['stopped', 'failed'])
  queue.retry(a)
  queue.retry(b)
  under.get('a.png')?.end()
  queue.remove(b)
  await nextTurn()
  assert.deepEqual(states(), ['done'])
})

test('an upload aborted because another user signed in shows the error', async () => {
  const { queue, under, states, nextTurn } = slowUploads()
  queue.add([file('a.png'), file('b.png')])
  const error = new PlazaError('ABORTED', 'Another account is now signed in here.')
  under.get('a.png')?.end(error)
  await nextTurn()
  assert.deepEqual(states(), ['failed', 'sending'])
  assert.equal(queue.snapshot.entries[0]?.error, error)
  queue.clear()
})

test('files keep their order and can be moved', async () => {
  const { queue } = slowUploads()
  queue.add([file('a.png'), file('b.png')])
  const names = () => queue.snapshot.entries.map((entry) => entry.name)
  const first = queue.snapshot.entries[0]?.key ?? 0
  queue.move(first, -1)
  assert.deepEqual(names(), ['a.png', 'b.png'])
  queue.move(first, 1)
  assert.deepEqual(names(), ['b.png', 'a.png'])
  queue.clear()
})

test('an upload is retried after a network error', async () => {
  const { queue, under, paused, states, nextTurn } = slowUploads()
  queue.add([file('a.png'), file('b.png'), file('c.png')])
  under.get('a.png')?.options.onProgress?.({ sent: 5, total: 10 })
  under.get('a.png')?.end(new PlazaError('NETWORK', 'away'))
  await nextTurn()
  assert.deepEqual(states(), ['retrying', 'sending', 'waiting'])
  paused.pop()?.()
  await nextTurn()
  assert.deepEqual(states(), ['sending', 'sending', 'waiting'])
  assert.equal(queue.snapshot.entries[0]?.sent, 0)
  under.get('a.png')?.end()
  await nextTurn()
  assert.deepEqual(states(), ['done', 'sending', 'sending'])
  queue.clear()
})

test('an upload stopped before its next attempt is not sent', async () => {
  const { queue, under, states, nextTurn } = slowUploads()
  queue.add([file('a.png')])
  under.get('a.png')?.end(new PlazaError('NETWORK', 'away'))
  await nextTurn()
  queue.stop(queue.snapshot.entries[0]?.key ?? 0)
  under.clear()
  await nextTurn()
  assert.deepEqual(states(), ['stopped'])
  assert.equal(under.size, 0)
})

test('an upload fails after six network errors', async () => {
  const { queue, under, paused, states, nextTurn } = slowUploads()
  queue.add([file('a.png')])
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    under.get('a.png')?.end(new PlazaError('NETWORK', 'away'))
    await nextTurn()
    paused.pop()?.()
    await nextTurn()
  }
  assert.deepEqual(states(), ['failed'])
})

test('a draft’s files are restored, and those deleted on the server are marked', async () => {
  const { queue, under, states, nextTurn } = slowUploads()
  const kept = { size: 5, kind: 'picture' as const }
  queue.restore([
    { ...kept, name: 'a.png', upload: { id: 'upl_a.png', url: '/a' } as Upload },
    { ...kept, name: 'gone.png', upload: { id: 'upl_gone.png', url: '/b' } as Upload },
    { ...kept, name: 'half.png', upload: null },
  ])
  await nextTurn()
  assert.deepEqual(states(), ['done', 'gone', 'unfinished'])
  assert.deepEqual(
    queue.snapshot.entries.map(({ upload }) => upload?.id),
    ['upl_a.png', undefined, undefined],
  )
  assert.equal(under.size, 0)
})

test('the speed of an upload is averaged over seconds', () => {
  const meter = new SpeedMeter()
  assert.equal(meter.note(0, 0), undefined)
  assert.equal(meter.note(500, 500), undefined)
  assert.equal(meter.note(2000, 1000), 2000)
  assert.equal(meter.note(2000, 1500), 2000)
  assert.equal(meter.note(3000, 2000), 1000 * 0.3 + 2000 * 0.7)
})

test('an unreadable draft is ignored, and unknown fields are dropped', () => {
  for (const kept of [null, 5, 'x', []]) {
    assert.equal(readNewDraft(kept), undefined)
    assert.equal(readEditDraft(kept), undefined)
  }
  const odd = {
    content: { title: 'A', tags: [5], other: 'x' },
    files: [{ name: 5 }, null],
    server: {},
  }
  assert.deepEqual(readNewDraft(odd), {
    content: { ...EMPTY, title: 'A' },
    files: [],
    thumbnail: [],
    server: undefined,
  })
})

test('unsaved changes conflict when the same field was changed elsewhere', () => {
  const draft = {
    changed: { title: 'Mine' },
    before: { title: 'Old' },
    thumbnail: [],
    isTakenBack: false,
  }
  assert.equal(isOvertaken(draft, { ...EMPTY, title: 'Old', body: 'Another text' }), false)
  assert.equal(isOvertaken(draft, { ...EMPTY, title: 'Mine' }), false)
  assert.equal(isOvertaken(draft, { ...EMPTY, title: 'Theirs' }), true)
  const before = { ...EMPTY, tags: ['a'] }
  assert.deepEqual(differenceOf(before, { ...before, tags: ['a'] }), {})
  assert.deepEqual(differenceOf(before, { ...before, tags: [] }), { tags: [] })
})
