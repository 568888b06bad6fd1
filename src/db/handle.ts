import type { Engine, Params, Statement } from './statement.ts'

/** Runs statements. Every query and rule takes one first. */
export interface Handle {
  readonly engine: Engine
  /** All rows. */
  all<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]>
  /** The first row, or undefined. */
  first<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R | undefined>
  /** The number of rows changed. */
  run<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<number>
  /**
   * Runs `work` in one transaction: all of it happens, or nothing. Resolves once the commit is
   * durable. `work` must await nothing but statements, and may run again when the engine asks for
   * a retry, so it must have no effect outside the database. On a `Tx` it joins that transaction.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** A handle inside a transaction. */
export interface Tx extends Handle {
  /** Runs `hook` once the transaction is durable; never when it rolls back. */
  afterCommit(hook: () => void): void
  /**
   * Says that what was asked and is not answered is the last, so that on PostgreSQL the commit
   * crosses with it. After it nothing may be asked, and an error undoes nothing. Where this
   * transaction has joined another it says nothing.
   */
  last(): void
  /**
   * `last`, unless the statement, run after the others, finds a row. False: it was the last. True:
   * there is more to do, and the transaction goes on.
   */
  lastUnless<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<boolean>
}

/** The database: reads see what is committed. */
export interface Db extends Handle {
  /** Runs DDL or other bare text inside the write connection; for migrations and tools. */
  script<T>(work: (run: Run) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type ScriptRow = Record<string, unknown>
/** Runs a text and gives its rows. */
export type Run = (text: string) => Promise<ScriptRow[]>

/** The database cannot be reached, or has no room to answer in time: safe to try again later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/**
 * No connection to the database can be made. The database handle reports the begin and the end of an
 * outage, so callers do not log it.
 */
export class DatabaseUnreachable extends DatabaseUnavailable {
  override name = 'DatabaseUnreachable'
}

/** The message of an error and of its cause, in one line. */
export function describeUnavailable(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { message?: string; code?: string } }
  // When several addresses refuse, Node sets only a code.
  const reason = cause?.message || cause?.code
  return reason ? `${message}: ${reason}` : message
}

/** A row would break a unique key: somebody else was first. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
}

/** The disk that holds the database is full; the write was not made. */
export class DatabaseFull extends Error {
  override name = 'DatabaseFull'
}
