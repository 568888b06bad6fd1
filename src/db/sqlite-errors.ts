/** What errors of SQLite mean to the callers of a handle. */
import { DatabaseFull, DatabaseUnavailable, UniqueViolation } from './handle.ts'

export const SQLITE_BUSY = 5
const SQLITE_IOERR = 10
const SQLITE_FULL = 13
/** Extended codes of a broken primary or unique key. */
const NOT_UNIQUE = [1555, 2067]

/** The primary code of an error; 0 where SQLite told of none. */
export function codeOf(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff
}

/** DatabaseFull, DatabaseUnavailable or UniqueViolation where it is one; else the error itself. */
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
