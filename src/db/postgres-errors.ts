/** Classifies the errors of PostgreSQL and of `pg`. */
import pg from 'pg'
import {
  DatabaseFull,
  DatabaseUnavailable,
  DatabaseUnreachable,
  UniqueViolation,
} from './handle.ts'

/** "cached plan must not change result type": the statement must be prepared again. */
export const STALE_PLAN = '0A000'
const DISK_FULL = '53100'
const NOT_UNIQUE = '23505'
/** Serialisation failure and deadlock: the transaction may run again. */
export const RETRYABLE: ReadonlySet<string> = new Set(['40001', '40P01'])
/** SQLSTATEs of a server that is starting, stopping or gone. */
const UNREACHABLE = /^(08|57P)/
/** SQLSTATEs of a server without free resources, too slow, or read-only like a standby (25006). */
const OVERLOADED = /^(53|57014|25P03|25006|55P03)/
/** SQLSTATEs of a refused connection: wrong user, password or database, or no right to connect. */
const REFUSED = /^(28|3D000|42501)/
/** Message of the pool when all its connections stayed in use for too long. */
const POOL_EXHAUSTED = /^timeout exceeded when trying to connect/

/** Returns the SQLSTATE of an error, or the code of a socket error. */
export function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return String(code ?? cause?.code ?? '')
}

/** Converts an error to one of the classes in `handle.ts`; returns other errors unchanged. */
export function translate(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || error instanceof DatabaseFull) return error
  if (error instanceof UniqueViolation) return error
  const code = codeOf(error)
  if (code === NOT_UNIQUE) return new UniqueViolation('unique key', { cause: error })
  if (code === DISK_FULL) return new DatabaseFull('database disk is full', { cause: error })
  if (RETRYABLE.has(code)) {
    return new DatabaseUnavailable('transactions conflict too often', { cause: error })
  }
  if (OVERLOADED.test(code) || (error instanceof Error && POOL_EXHAUSTED.test(error.message))) {
    return new DatabaseUnavailable('the database is overloaded', { cause: error })
  }
  const lost = !(error instanceof pg.DatabaseError) && error instanceof Error && isConnection(error)
  if (lost || UNREACHABLE.test(code)) {
    return new DatabaseUnreachable('the database cannot be reached', { cause: error })
  }
  return error
}

/**
 * Returns the error of a failed connection. It names the setting, the host and the database, so that
 * the operator knows what to change. It never contains the password.
 */
export function connectionError(error: unknown, setting: string, url: string): unknown {
  const translated = translate(error)
  const place = placeOf(url)
  if (translated instanceof DatabaseUnreachable) {
    return new DatabaseUnreachable(`${setting}: cannot connect to ${place}`, { cause: error })
  }
  if (error instanceof pg.DatabaseError && REFUSED.test(codeOf(error))) {
    return new Error(`${setting}: ${error.message} (${place})`, { cause: error })
  }
  return translated
}

function placeOf(text: string): string {
  const url = new URL(text)
  const name = decodeURIComponent(url.pathname.slice(1)) || decodeURIComponent(url.username)
  const host = url.host || url.searchParams.get('host') || 'the local socket'
  return `database ${JSON.stringify(name)} at ${host}`
}

/** True for errors of the driver and the socket, which have no SQLSTATE. */
function isConnection(error: Error): boolean {
  return (
    /^E[A-Z_]+$/.test(codeOf(error)) ||
    /connection|timeout exceeded|Client (was closed|has encountered)/i.test(error.message)
  )
}
