/** Tests that the index finds every document, whether or not a batch has added it (`inBatches`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import fc from 'fast-check'
import { startApp } from '../../test/app.ts'
import { deleteRows } from '../db/rows.ts'
import { rawQuery, statement } from '../db/statement.ts'
import { deleteDocument, indexPost, KINDS } from '../indexing/documents.ts'
import { readSearch } from '../indexing/tokens.ts'
import { matchAll } from './expressions.ts'
import { documents, type Looked } from './found.ts'

const app = await startApp()
const WORDS = ['heron', 'reed', 'mist']

const found = statement((q, p: Looked, dialect) =>
  rawQuery<{ id: string }>(q, sql`select id from ${documents(p, dialect, false)} as found`),
)

async function find(word: string): Promise<string[]> {
  const lookup = matchAll(app.db.engine, KINDS.posts, readSearch(word))
  if (!lookup) throw new Error('a word has a token')
  const rows = await app.db.all(found, { ...lookup, limit: 1000 })
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
        const expected = [...words].flatMap(([id, current]) => (current === word ? [id] : []))
        assert.deepEqual(await find(word), expected.sort())
      }
    }),
    { numRuns: 15 },
  )
})
