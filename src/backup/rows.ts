/**
 * Rows as lines of JSON, in the order of their key: the same text on both engines, so that what is
 * equal has equal hashes. Memory holds a page of them, however many there are; rows that are
 * long make the next page short.
 */
import { createHash } from 'node:crypto'
import type { Run } from '../db/handle.ts'
import type { Table } from './catalog.ts'

/** Rows that are read at once at most, and at first, when nothing is known of their size. */
const PAGE = 1000
const FIRST_PAGE = 10
/** How much longer a page may be than the one before it. */
const GROWTH = 10
/** Characters from which on a batch is whole. */
const BATCH_CHARS = 1_000_000

type Scalar = string | number | null

/** One row: its values in the order of the table's columns. */
export type Line = string

export interface Digest {
  rows: number
  /** SHA-256 over the lines, each ended by a line feed. */
  sha256: string
}

/** The rows after a key, or all of them, in batches of about a million characters. */
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

/** Reads all rows of a table and says how many there are and what they are. */
export async function digestTable(run: Run, table: Table): Promise<Digest> {
  const digest = new RowDigest()
  for await (const page of readPages(run, table)) digest.add(page)
  return digest.end()
}

/** Gathers a digest from lines in the order of their key. */
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

/** Lines as they stand in a file. */
export function textOf(lines: readonly Line[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

/** The values of the key in a row. */
export function keyOf({ columns, key }: Table, line: Line): Scalar[] {
  const values = JSON.parse(line) as Scalar[]
  return key.map((name) => values[columns.findIndex((column) => column.name === name)] as Scalar)
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A value in the text of a statement. */
export function literal(value: Scalar): string {
  if (value === null) throw new Error('a key that orders rows is null')
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}
