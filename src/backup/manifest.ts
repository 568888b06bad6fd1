import type { AppliedMigration } from '../db/migrate.ts'
import type { Engine } from '../db/statement.ts'
import type { Digest } from './rows.ts'

export const FORMAT = 1

export interface Part {
  path: string
  /** Position of the content's first byte in the archive. */
  offset: number
  size: number
  sha256: string
}

/** A part with one row or entry per line. */
export interface LinesPart extends Part {
  lines: number
}

export interface TableEntry extends Digest {
  name: string
  /** Columns in the order of the values in each line. */
  columns: string[]
  key: string[]
  parts: LinesPart[]
}

export interface FilesEntry {
  included: boolean
  count: number
  size: number
  /** Number of files that rows name but the store lacked. */
  missing: number
  lists: LinesPart[]
}

export interface Manifest {
  format: number
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
