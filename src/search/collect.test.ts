import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Field, readSearch } from '../indexing/tokens.ts'
import { CANDIDATES_MAX, CHUNK, collect, FOUND_MAX, type Source } from './collect.ts'

interface Row {
  id: string
  date: number
  text: string
}

const fieldsOf = ({ text }: Row) => [{ field: new Field(text), weight: 1 }]
const toCandidate = ({ id, date }: Row) => ({ id, date, popularity: 0 })

/** Returns a source of these rows, newest first, and the number of calls of each method. */
function sourceOf(rows: Row[]): { source: Source; calls: Record<string, number> } {
  const calls: Record<string, number> = {}
  const count = (name: string) => (calls[name] = (calls[name] ?? 0) + 1)
  const inIndex = (words: readonly string[]) =>
    rows.filter(({ text }) => words.every((word) => ` ${text}`.includes(` ${word}`)))
  const wordsOf = (tokens: readonly { token: string }[]) => tokens.map(({ token }) => token)
  const source: Source = {
    async listCandidates({ terms }, limit) {
      count('index')
      const found = inIndex(wordsOf(terms.flatMap((term) => term.tokens)))
      return found.length > limit ? undefined : found.map(toCandidate)
    },
    async listAllCandidates() {
      count('whole index')
      return inIndex(['common']).map(toCandidate)
    },
    async walk(after) {
      count('walk')
      const from = after ? rows.findIndex(({ id }) => id === after.id) + 1 : 0
      return rows.slice(from, from + CHUNK).map((row) => ({
        ...toCandidate(row),
        id: row.id,
        fields: fieldsOf(row),
        isIncluded: true,
      }))
    },
    async listTexts(ids) {
      const asked = new Set(ids)
      return rows
        .filter(({ id }) => asked.has(id))
        .map((row) => ({ id: row.id, fields: fieldsOf(row) }))
    },
  }
  return { source, calls }
}

const make = (size: number, textOf: (index: number) => string): Row[] =>
  Array.from({ length: size }, (_, index) => ({
    id: String(1_000_000 - index),
    date: 1_000_000 - index,
    text: textOf(index),
  }))

const SIZE = 2 * CANDIDATES_MAX
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

test('looks up only rare terms in the index, and checks all terms in the texts', async () => {
  const rows = make(SIZE, (index) => (index % 1000 === 7 ? 'common rare' : 'common'))
  const { source, calls } = sourceOf(rows)
  const sample = rows.slice(0, CHUNK).map(fieldsOf)
  const found = await collect(source, readSearch('common rare'), sample)
  assert.deepEqual(idsOf(found), idsOf(rows.filter(({ text }) => text.includes('rare'))))
  assert.deepEqual(calls, { index: 1 })
})

test('reads the newest rows for a frequent term, and the index when too few of them match', async () => {
  const dense = make(SIZE, (index) => (index % 2 === 0 ? 'common' : 'x'))
  const first = sourceOf(dense)
  const sample = dense.slice(0, CHUNK).map(fieldsOf)
  const found = await collect(first.source, readSearch('common'), sample)
  const expected = dense.filter(({ text }) => text === 'common').slice(0, FOUND_MAX + 1)
  assert.deepEqual(idsOf(found), idsOf(expected))
  assert.deepEqual(Object.keys(first.calls), ['walk'])

  const old = make(SIZE, (index) => (index >= SIZE / 4 ? 'common' : 'x'))
  const second = sourceOf(old)
  const newest = await collect(second.source, readSearch('common'), [])
  assert.deepEqual(idsOf(newest), idsOf(old.slice(SIZE / 4, SIZE / 4 + FOUND_MAX + 1)))
  assert.deepEqual(second.calls, { index: 1, walk: 4, 'whole index': 1 })
})

test('finds a phrase inside words among the newest rows, and at the start of words among all', async () => {
  const rows = make(SIZE, (index) =>
    index === 5 || index === SIZE - 1 ? 'uncommon' : index === SIZE - 2 ? 'common' : 'x',
  )
  const found = await collect(sourceOf(rows).source, readSearch('"common"'), [])
  assert.deepEqual(idsOf(found), idsOf([rows[5] as Row, rows[SIZE - 2] as Row]))
})

test('lets other requests run while it compares long texts', async () => {
  const rows = make(60, (index) => `${index} ${'é'.repeat(20_000)}`)
  let isOver = false
  let turns = 0
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await collect(sourceOf(rows).source, readSearch('"missing"'), [])
  isOver = true
  assert.ok(turns > 3, `${turns} turns`)
})
