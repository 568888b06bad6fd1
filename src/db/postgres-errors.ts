import pg from 'pg'
import {
  DatabaseFull,
  DatabaseUnavailable,
  DatabaseUnreachable,
  UniqueViolation,
} from './handle.ts'

/** SQLSTATE of "cached plan must not change result type". Preparing the statement again helps. */
export const STALE_PLAN = '0A000'
const DISK_FULL = '53100'
const NOT_UNIQUE = '23505'
/** SQLSTATEs of serialisation failures and deadlocks, after which the transaction can be retried. */
export const RETRYABLE: ReadonlySet<string> = new Set(['40001', '40P01'])
/** SQLSTATEs of a server that is starting, stopping or disconnected. */
const UNREACHABLE = /^(08|57P)/
/** SQLSTATEs of a server that lacks resources, exceeds a timeout or is read-only like a standby (25006). */
const OVERLOADED = /^(53|57014|25P03|25006|55P03)/
/** SQLSTATEs of a rejected connection: wrong user, password or database, or missing permission. */
const REFUSED = /^(28|3D000|42501)/
/** Message of the pool when no connection became free in time. */
const POOL_EXHAUSTED = /^timeout exceeded when trying to connect/

/** Returns the SQLSTATE of an error or the code of a socket error; empty without either. */
export function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return String(code ?? cause?.code ?? '')
}

/** Converts an error to a class of `handle.ts`. Returns other errors unchanged. */
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
 * Converts an error that occurred while connecting. Messages about a failed connection contain the name of the setting,
 * the host and the database, but no password. Other errors are converted as by `translate`.
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

/** True when the error comes from the driver or the socket. Such errors have no SQLSTATE. */
function isConnection(error: Error): boolean {
  return (
    /^E[A-Z_]+$/.test(codeOf(error)) ||
    /connection|timeout exceeded|Client (was closed|has encountered)/i.test(error.message)
  )
}
