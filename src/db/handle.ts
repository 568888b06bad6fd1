import type { Engine, Params, Statement } from './statement.ts'

/** Runs statements. Queries and rules take a handle as their first argument. */
export interface Handle {
  readonly engine: Engine
  all<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]>
  /** Returns the first row, or undefined. */
  first<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R | undefined>
  /** Returns the number of changed rows. */
  run<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<number>
  /**
   * Runs `action` in one atomic transaction and resolves once the commit is durable. `action` must await
   * only statements. It may run again when the engine requires a retry, so it must have no effect
   * outside the database. On a `Tx` it joins that transaction.
   */
  transaction<T>(action: (tx: Tx) => Promise<T>): Promise<T>
}

/** A handle inside a transaction. */
export interface Tx extends Handle {
  /** Runs `hook` after the transaction is durable; never after a rollback. */
  afterCommit(hook: () => void): void
  /**
   * Declares the pending statements to be the last. On PostgreSQL they are then sent with the commit,
   * in one round trip. Further statements are rejected, and a later error rolls nothing back. Has no
   * effect in a transaction that joined another.
   */
  commitWithPending(): void
  /**
   * Like `last`, unless this statement, which runs after the others, finds a row. Returns false if the
   * transaction has ended, and true if it found a row and the transaction continues.
   */
  commitUnlessFound<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<boolean>
}

/** The database. Reads see committed data only. */
export interface Db extends Handle {
  /** Runs DDL or other raw SQL on the write connection, for migrations and tools. */
  script<T>(action: (run: Run) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type ScriptRow = Record<string, unknown>
/** Runs SQL text and returns its rows. */
export type Run = (text: string) => Promise<ScriptRow[]>

/** The database is unreachable or overloaded. Retrying later is safe. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/**
 * No connection can be made. The database handle reports the start and the end of an outage, so callers
 * need not log it.
 */
export class DatabaseUnreachable extends DatabaseUnavailable {
  override name = 'DatabaseUnreachable'
}

/** Formats an error and its cause as one line. */
export function describeUnavailable(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { message?: string; code?: string } }
  // Node sets only a code when several addresses refuse the connection.
  const reason = cause?.message || cause?.code
  return reason ? `${message}: ${reason}` : message
}

/** A row would violate a unique key because another row already has its value. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
}

/** The database's disk is full and the write failed. */
export class DatabaseFull extends Error {
  override name = 'DatabaseFull'
}
