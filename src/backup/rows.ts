/**
 * Reads the rows of tables as JSON lines in key order. Both engines produce the same text, so equal rows have equal
 * hashes. Only one page of rows is in memory at a time.
 */
import { createHash } from 'node:crypto'
import type { Run } from '../db/handle.ts'
import type { Table } from './catalog.ts'

/**
 * Maximum rows of a page (`PAGE`) and of the first page (`FIRST_PAGE`). The first page is small, because the length of
 * the rows is unknown.
 */
const PAGE = 1000
const FIRST_PAGE = 10
/** Maximum ratio of a page's row count to that of the previous page. */
const GROWTH = 10
const BATCH_CHARS = 1_000_000

type Scalar = string | number | null

/** A JSON array of a row's values in column order. */
export type Line = string

export interface Digest {
  rows: number
  /** SHA-256 of all lines, each followed by a line feed. */
  sha256: string
}

/** Yields the rows after the key `after`, or all rows without `after`, in batches of about a million characters. */
export async function* readBatches(
  run: Run,
  table: Table,
  after?: readonly Scalar[],
): AsyncGenerator<Line[]> {
  let lines: Line[] = []
  let chars = 0
  for await (const page of readPages(run, table, after)) {
    for (const line of page) {
      lines.push(line)
      chars += line.length
      if (chars < BATCH_CHARS) continue
      yield lines
      lines = []
      chars = 0
    }
  }
  if (lines.length > 0) yield lines
}

async function* readPages(
  run: Run,
  { name, columns, key }: Table,
  after?: readonly Scalar[],
): AsyncGenerator<Line[]> {
  const names = columns.map((column) => column.name)
  const order = key.map(quote).join(', ')
  let last = after
  let limit = FIRST_PAGE
  for (;;) {
    const where = last ? `where (${order}) > (${last.map(literal).join(', ')})` : ''
    const rows = await run(
      `select ${names.map(quote).join(', ')} from ${quote(name)} ${where} order by ${order} limit ${limit}`,
    )
    const end = rows.at(-1)
    if (!end) return
    const page = rows.map((row) => JSON.stringify(names.map((column) => row[column])))
    yield page
    if (rows.length < limit) return
    const charsOfOne = page.reduce((sum, line) => sum + line.length, 0) / page.length
    limit = Math.max(1, Math.min(PAGE, limit * GROWTH, Math.floor(BATCH_CHARS / charsOfOne)))
    last = key.map((column) => end[column] as Scalar)
  }
}

export async function digestTable(run: Run, table: Table): Promise<Digest> {
  const digest = new RowDigest()
  for await (const page of readPages(run, table)) digest.add(page)
  return digest.end()
}

/** Computes the digest of lines, which must be added in key order. */
export class RowDigest {
  readonly #hash = createHash('sha256')
  rows = 0

  add(lines: readonly Line[]): void {
    this.rows += lines.length
    this.#hash.update(textOf(lines))
  }

  end(): Digest {
    return { rows: this.rows, sha256: this.#hash.digest('hex') }
  }
}

export function textOf(lines: readonly Line[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

export function keyOf({ columns, key }: Table, line: Line): Scalar[] {
  const values = JSON.parse(line) as Scalar[]
  return key.map((name) => values[columns.findIndex((column) => column.name === name)] as Scalar)
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Returns the value of a key column as an SQL literal. Errors: an Error for null. */
export function literal(value: Scalar): string {
  if (value === null) throw new Error('a key that orders rows is null')
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}
