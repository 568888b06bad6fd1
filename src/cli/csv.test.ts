import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type CsvRow, readCsv } from './csv.ts'

async function read(...chunks: string[]): Promise<CsvRow[]> {
  return Array.fromAsync(readCsv(ReadableStream.from(chunks)))
}

const quote = (field: string) => `"${field.replaceAll('"', '""')}"`

test('what is written with quotes is read as it was, however it is cut into chunks', async () => {
  const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', '밤', '😀') })
  const row = fc
    .array(field, { minLength: 1, maxLength: 4 })
    .filter((fields) => fields.some((text) => text !== ''))
  await fc.assert(
    fc.asyncProperty(fc.array(row), fc.nat({ max: 40 }), async (rows, cut) => {
      const text = rows.map((fields) => `${fields.map(quote).join(',')}\r\n`).join('')
      const found = await read(text.slice(0, cut), text.slice(cut))
      assert.deepEqual(
        found.map(({ fields }) => fields),
        rows,
      )
    }),
  )
})

test('a row tells the line it begins at, past empty lines and line feeds in quotes', async () => {
  assert.deepEqual(await read('\uFEFFa,b\n\n"x\ny",2\r\n,\nlast,'), [
    { line: 1, fields: ['a', 'b'] },
    { line: 3, fields: ['x\ny', '2'] },
    { line: 6, fields: ['last', ''] },
  ])
})

test('a quote that never ends is an error that names the line', async () => {
  await assert.rejects(read('a,b\n"c,d\n'), /^Error: line 2: a quoted field does not end$/)
})
