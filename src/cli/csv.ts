export interface CsvRow {
  line: number
  fields: string[]
}

/** Maximum characters of a row, which limits the memory used when a quote is never closed. */
const ROW_LENGTH_MAX = 100_000

/**
 * Yields the rows of CSV text as it arrives (RFC 4180). Accepts bare line feeds, ignores a byte order mark and skips
 * empty rows.
 * Errors: an Error with the line number for an unclosed quoted field or a row that is too long.
 */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  let state: 'plain' | 'quoted' | 'quote' = 'plain'
  let row: CsvRow = { line: 1, fields: [] }
  let field = ''
  let length = 0
  let line = 1
  for await (const chunk of chunks) {
    for (const char of chunk) {
      if (char === '\n') line++
      if (++length > ROW_LENGTH_MAX)
        throw new Error(`line ${row.line}: the row is too long, or a quote is not closed`)
      if (state === 'quoted') {
        if (char === '"') state = 'quote'
        else field += char
      } else if (char === '"' && (state === 'quote' || field === '')) {
        if (state === 'quote') field += char
        state = 'quoted'
      } else if (char === ',' || char === '\n') {
        row.fields.push(field)
        field = ''
        state = 'plain'
        if (char === ',') continue
        if (row.fields.some((text) => text !== '')) yield row
        row = { line, fields: [] }
        length = 0
      } else if (char !== '\r' && char !== '\uFEFF') {
        field += char
      }
    }
  }
  if (state === 'quoted') throw new Error(`line ${row.line}: a quoted field is not closed`)
  if (field !== '' || row.fields.length > 0) yield { ...row, fields: [...row.fields, field] }
}
