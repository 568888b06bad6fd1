import type { AppliedMigration } from '../db/migrate.ts'
import type { Engine } from '../db/statement.ts'
import type { Digest } from './rows.ts'

export const FORMAT = 1

/** One file of the archive. */
export interface Part {
  /** Name in the archive, with `/` separators. */
  path: string
  /** Position of the content's first byte in the archive. */
  offset: number
  size: number
  sha256: string
}

/** A file of the archive with one row or entry per line. */
export interface LinesPart extends Part {
  lines: number
}

export interface TableEntry extends Digest {
  name: string
  /** Column names in the order of a line's values. */
  columns: string[]
  /** Columns that order the lines. */
  key: string[]
  parts: LinesPart[]
}

export interface FilesEntry {
  /** False for a backup without files. */
  included: boolean
  count: number
  size: number
  /** Number of files that rows name but that were missing from the store. */
  missing: number
  lists: LinesPart[]
}

export interface Manifest {
  format: number
  /** Plaza version that wrote the backup. */
  plaza: string
  id: string
  /** ISO 8601 time. The backup includes all writes acknowledged before it. */
  taken_at: string
  engine: Engine
  /** Schema number. */
  schema: number
  migrations: AppliedMigration[]
  secrets: Part
  tables: TableEntry[]
  files: FilesEntry
}
