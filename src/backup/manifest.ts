/** Describes the manifest of a backup. */
import type { AppliedMigration } from '../db/migrate.ts'
import type { Engine } from '../db/statement.ts'
import type { Digest } from './rows.ts'

export const FORMAT = 1

/** One file of the archive. */
export interface Part {
  /** Name in the archive, with `/` separators. */
  path: string
  /** Position of the first byte of its content in the archive. */
  offset: number
  size: number
  sha256: string
}

/** A part that consists of lines. */
export interface LinesPart extends Part {
  lines: number
}

export interface TableEntry extends Digest {
  name: string
  /** Names of the values in a line, in order. */
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
  /** Number of files that rows name but the store did not have. */
  missing: number
  lists: LinesPart[]
}

export interface Manifest {
  format: number
  /** Version of Plaza that wrote the backup. */
  plaza: string
  id: string
  /** ISO 8601. All writes acknowledged before this time are included. */
  taken_at: string
  engine: Engine
  /** Schema number. */
  schema: number
  migrations: AppliedMigration[]
  secrets: Part
  tables: TableEntry[]
  files: FilesEntry
}
