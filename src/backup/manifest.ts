/** What a backup says of itself. */
import type { AppliedMigration } from '../db/migrate.ts'
import type { Engine } from '../db/statement.ts'
import type { Digest } from './rows.ts'

export const FORMAT = 1

/** One file of the archive. */
export interface Part {
  /** Its name, with `/`. */
  path: string
  /** Byte of the archive at which its bytes begin. */
  offset: number
  size: number
  sha256: string
}

/** A part that holds lines. */
export interface LinesPart extends Part {
  lines: number
}

export interface TableEntry extends Digest {
  name: string
  /** What the values of a line are. */
  columns: string[]
  /** What the lines are ordered by. */
  key: string[]
  parts: LinesPart[]
}

export interface FilesEntry {
  /** False where the rows alone were asked for. */
  included: boolean
  count: number
  size: number
  /** Files that rows tell of and the store did not have. */
  missing: number
  lists: LinesPart[]
}

export interface Manifest {
  format: number
  /** The version that wrote it. */
  plaza: string
  id: string
  /** ISO 8601: all that was acknowledged by then is in it. */
  taken_at: string
  engine: Engine
  /** Number of the schema. */
  schema: number
  migrations: AppliedMigration[]
  secrets: Part
  tables: TableEntry[]
  files: FilesEntry
}
