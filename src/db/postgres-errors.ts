/** What the errors of PostgreSQL and of `pg` mean. */
import pg from 'pg'
import { DatabaseFull, DatabaseUnavailable, UniqueViolation } from './handle.ts'

/** "cached plan must not change result type": the statement must be prepared anew. */
export const STALE_PLAN = '0A000'
const DISK_FULL = '53100'
const NOT_UNIQUE = '23505'
/**
 * SQLSTATEs that mean the server is away, starting, stopping, full or too slow, or is a standby that
 * is about to be promoted (25006: it refuses to write).
 */
const AWAY = /^(08|53|57P|57014|25P03|25006|55P03)/

/** The SQLSTATE of an error, or the code of the socket's. */
export function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return String(code ?? cause?.code ?? '')
}

/** The error as `handle.ts` names it. */
export function translate(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || error instanceof DatabaseFull) return error
  if (error instanceof UniqueViolation) return error
  const code = codeOf(error)
  if (code === NOT_UNIQUE) return new UniqueViolation('unique key', { cause: error })
  if (code === DISK_FULL) return new DatabaseFull('database disk is full', { cause: error })
  const lost = !(error instanceof pg.DatabaseError) && error instanceof Error && isConnection(error)
  if (lost || AWAY.test(code)) {
    return new DatabaseUnavailable('database is away', { cause: error })
  }
  return error
}

/** Errors of the driver and the socket, which carry no SQLSTATE. */
function isConnection(error: Error): boolean {
  return (
    /^E[A-Z]+$/.test(codeOf(error)) ||
    /connection|timeout exceeded|Client (was closed|has encountered)/i.test(error.message)
  )
}
