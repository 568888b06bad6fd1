import { DatabaseFull, DatabaseUnavailable, UniqueViolation } from './handle.ts'

export const SQLITE_BUSY = 5
const SQLITE_IOERR = 10
const SQLITE_FULL = 13
/** Extended codes of a violated primary or unique key. */
const NOT_UNIQUE = [1555, 2067]

/** Returns the primary result code of an error, or 0 if it is not from SQLite. */
export function codeOf(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff
}

/** Converts an error to DatabaseFull, DatabaseUnavailable or UniqueViolation. Returns other errors unchanged. */
export function translate(error: unknown): unknown {
  const code = codeOf(error)
  if (code === SQLITE_FULL) return new DatabaseFull('database disk is full', { cause: error })
  if (NOT_UNIQUE.includes((error as { errcode?: number }).errcode ?? 0)) {
    return new UniqueViolation('unique key', { cause: error })
  }
  if (code === SQLITE_BUSY) return new DatabaseUnavailable('database is locked', { cause: error })
  if (code === SQLITE_IOERR) return new DatabaseUnavailable('the disk failed', { cause: error })
  return error
}
