/** Tests that the index finds every document, whether or not a batch has added it (`batchFullText`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import fc from 'fast-check'
import { startApp } from '../../test/app.ts'
import { deleteRows } from '../db/rows.ts'
import { rawQuery, statement, statementFamily } from '../db/statement.ts'
import { deleteDocument, indexPost, indexUser, KINDS } from '../indexing/documents.ts'
import { readSearch } from '../indexing/tokens.ts'
import { type Lookup, matchAll, matchAny, matchPrefix } from './expressions.ts'
import { documents, type LimitedLookup } from './found.ts'

const app = await startApp()
const { engine } = app.db
const WORDS = ['heron', 'reed', 'mist']

const found = statementFamily(({ isNewest }: { isNewest: boolean }) =>
  statement((q, p: LimitedLookup, dialect) =>
    rawQuery<{ id: string }>(q, sql`select id from ${documents(p, dialect, isNewest)} as found`),
  ),
)

async function find(lookup: Lookup | undefined, limit = 1000, isNewest = false): Promise<string[]> {
  if (!lookup) throw new Error('a word has a token')
  const rows = await app.db.all(found({ isNewest }), { ...lookup, limit })
  return rows.map(({ id }) => id).sort()
}

const write = fc.record({
  kind: fc.constant('write' as const),
  id: fc.integer({ min: 0, max: 150 }),
  word: fc.constantFrom(...WORDS),
})
// Deletes the latest document more often than others, because SQLite gives its number to the next document.
const remove = fc.record({
  kind: fc.constant('remove' as const),
  id: fc.oneof(fc.constant('latest' as const), fc.integer({ min: 0, max: 150 })),
})
const act = fc.oneof({ weight: 3, arbitrary: write }, { weight: 1, arbitrary: remove })

test('finds each document by its current word and by no other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 400, size: 'max' }), async (acts) => {
      const words = new Map<string, string>()
      await app.db.transaction((tx) => deleteRows(tx, 'search_documents', {}))
      for (const { id: number, ...action } of acts) {
        const id = number === 'latest' ? [...words.keys()].at(-1) : `pst_${number}`
        if (id === undefined) continue
        await app.db.transaction((tx) =>
          action.kind === 'write' ? indexPost(tx, id, action.word) : deleteDocument(tx, id),
        )
        if (action.kind === 'write') words.set(id, action.word)
        else words.delete(id)
      }
      for (const word of WORDS) {
        const expected = [...words]
          .flatMap(([id, current]) => (current === word ? [id] : []))
          .sort()
        const exact = matchAll(engine, KINDS.posts, readSearch(word))
        assert.deepEqual(await find(exact), expected)
        assert.deepEqual(await find(matchPrefix(engine, KINDS.posts, word.slice(0, 2))), expected)
        const any = await find(matchAny(engine, KINDS.posts, readSearch(`${word} other`)))
        assert.deepEqual(
          expected.filter((id) => !any.includes(id)),
          [],
        )
        const newest = await find(exact, 3, true)
        assert.equal(newest.length, Math.min(3, expected.length))
        assert.ok(newest.every((id) => expected.includes(id)))
      }
    }),
    { numRuns: 15 },
  )
})

test('documents of other kinds do not use up the limit of a search by names', async () => {
  await app.db.transaction(async (tx) => {
    await deleteRows(tx, 'search_documents', {})
    for (let number = 0; number < 10; number++) await indexPost(tx, `pst_${number}`, 'heron')
    for (const number of [1, 2, 3]) {
      const handle = `heron${number}`
      await indexUser(tx, { id: `usr_${number}`, handle, display_name: handle, bio: null })
    }
  })
  const lookup = matchAny(engine, KINDS.names, readSearch('heron reed'))
  assert.deepEqual(await find(lookup, 3), ['usr_1', 'usr_2', 'usr_3'])
})
