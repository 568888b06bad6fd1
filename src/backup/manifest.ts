import type { AppliedMigration } from '../db/migrate.ts'
import type { Engine } from '../db/statement.ts'
import type { Digest } from './rows.ts'

export const FORMAT = 1

export interface Part {
  path: string
  /** Of the content's first byte. */
  offset: number
  size: number
  sha256: string
}

/** One row or entry per line. */
export interface LinesPart extends Part {
  lines: number
}

export interface TableEntry extends Digest {
  name: string
  /** In the order of a line's values. */
  columns: string[]
  /** Columns that order the lines. */
  key: string[]
  parts: LinesPart[]
}

export interface FilesEntry {
  included: boolean
  count: number
  size: number
  /** Files that rows name but that were missing from the store. */
  missing: number
  lists: LinesPart[]
}

export interface Manifest {
  format: number
  /** Version that wrote the backup. */
  plaza: string
  id: string
  /** ISO 8601. The backup includes the writes acknowledged before this time. */
  taken_at: string
  engine: Engine
  schema: number
  migrations: AppliedMigration[]
  secrets: Part
  tables: TableEntry[]
  files: FilesEntry
}
