import type { EventEmitter } from 'node:events'
import type { Engine, Params, Statement } from './statement.ts'

/** Runs statements. Functions that use the database take a handle as their first argument. */
export interface Handle {
  readonly engine: Engine
  /**
   * Events that wake background work of this process. Emit them in `afterCommit`. Other processes poll for work once
   * a second.
   */
  readonly signals: EventEmitter
  all<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]>
  first<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R | undefined>
  /** Returns the number of changed rows. */
  run<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<number>
  /**
   * Runs `action` in a transaction, and resolves with its result when the commit is durable. On a `Tx`, runs it in
   * the existing transaction. `action` may run again, so it must await only statements and affect only the database.
   */
  transaction<T>(action: (tx: Tx) => Promise<T>): Promise<T>
}

export interface Tx extends Handle {
  /** Calls `hook` once the commit is durable. Never calls it after a rollback. */
  afterCommit(hook: () => void): void
  /**
   * Runs a statement whose result is not needed. PostgreSQL receives it with the next statement or the commit, which
   * saves a round trip. A failure then rejects that next statement or the commit.
   */
  send<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<void>
}

/** The database. Reads on this handle see committed data only. */
export interface Db extends Handle {
  /** Runs raw SQL on the write connection, for migrations and tools. */
  script<T>(action: (run: Run) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type ScriptRow = Record<string, unknown>
export type Run = (text: string) => Promise<ScriptRow[]>

/** The database is unreachable or overloaded. The request can be retried later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/**
 * The database is unreachable. `onReachable` reports the start and end of an outage, so callers need not log
 * this error.
 */
export class DatabaseUnreachable extends DatabaseUnavailable {
  override name = 'DatabaseUnreachable'
}

export function describeUnavailable(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { message?: string; code?: string } }
  // When several addresses refuse the connection, Node sets a code but no message.
  const reason = cause?.message || cause?.code
  return reason ? `${message}: ${reason}` : message
}

export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
}

/** A write failed because the database's disk is full. */
export class DatabaseFull extends Error {
  override name = 'DatabaseFull'
}
