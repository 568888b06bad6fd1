import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type CsvRow, readCsv } from './csv.ts'
import { valuesOf } from '../../test/make.ts'

async function read(...chunks: string[]): Promise<CsvRow[]> {
  return Array.fromAsync(readCsv(ReadableStream.from(chunks)))
}

const quote = (field: string) => `"${field.replaceAll('"', '""')}"`

test('reads quoted fields correctly, wherever chunks begin and end', async () => {
  const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', '밤', '😀') })
  const row = fc
    .array(field, { minLength: 1, maxLength: 4 })
    .filter((fields) => fields.some((text) => text !== ''))
  await fc.assert(
    fc.asyncProperty(fc.array(row), fc.nat({ max: 40 }), async (rows, cut) => {
      const text = rows.map((fields) => `${fields.map(quote).join(',')}\r\n`).join('')
      const found = await read(text.slice(0, cut), text.slice(cut))
      assert.deepEqual(valuesOf(found, 'fields'), rows)
    }),
  )
})

test('numbers rows by their first line, past empty lines and line feeds in quotes', async () => {
  assert.deepEqual(await read('\uFEFFa,b\n\n"x\ny",2\r\n,\nlast,'), [
    { line: 1, fields: ['a', 'b'] },
    { line: 3, fields: ['x\ny', '2'] },
    { line: 6, fields: ['last', ''] },
  ])
})

test('reports the line of a quote that is never closed', async () => {
  await assert.rejects(read('a,b\n"c,d\n'), /^Error: line 2: a quoted field is not closed$/)
})
