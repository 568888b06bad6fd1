/**
 * PostgreSQL through `pg`: statements are prepared once on each connection. Transactions run at
 * READ COMMITTED with explicit row locks; a deadlock or serialisation failure runs them again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Db, DatabaseFull, DatabaseUnavailable, type Tx, UniqueViolation } from './handle.ts'
import type { Params, Statement } from './statement.ts'

const RETRIES = 8
const RETRYABLE = new Set(['40001', '40P01'])
/** "cached plan must not change result type": the statement must be prepared anew. */
const STALE_PLAN = '0A000'
const DISK_FULL = '53100'
const NOT_UNIQUE = '23505'
/** SQLSTATEs that mean the server is away, starting, stopping, full or too slow. */
const AWAY = /^(08|53|57P|57014|25P03|55P03)/

// int8, numeric: counts and epoch milliseconds, all below 2^53.
pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1700, Number)

/** Opens a pool of connections. Nothing is sent until the first statement. */
export function openPostgres(url: string, onIdleError: (error: Error) => void): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'plaza',
  })
  // A connection that breaks while idle must not end the process; the pool replaces it.
  pool.on('error', onIdleError)
  // Nor one that breaks while it is lent out: its queries fail, and it is thrown away.
  pool.on('connect', (client) => client.on('error', () => {}))
  const base = handle(queryOn(pool))
  return {
    ...base,
    transaction: (work) => transaction(pool, work),
    async script(work) {
      const client = await connect(pool)
      try {
        await work(async (text) => (await client.query(text)).rows)
      } finally {
        client.release()
      }
    },
    close: () => pool.end(),
  }
}

type Query = (config: pg.QueryConfig) => Promise<pg.QueryResult>

/**
 * Runs a statement on any connection. Where another process changed a table since the connection
 * prepared the statement, the connection is thrown away and the statement runs on another.
 */
function queryOn(pool: pg.Pool): Query {
  return async (config) => {
    for (;;) {
      const client = await pool.connect()
      let stale = false
      try {
        return await client.query(config)
      } catch (error) {
        stale = codeOf(error) === STALE_PLAN
        if (!stale) throw error
      } finally {
        client.release(stale)
      }
    }
  }
}

function handle(send: Query) {
  const query = async <P extends Params, R>(statement: Statement<P, R>, params: P) => {
    const { name, sql, bind } = statement.compiled('postgres')
    try {
      return await send({ name, text: sql, values: bind(params) })
    } catch (error) {
      throw translate(error)
    }
  }
  return {
    engine: 'postgres' as const,
    all: async <P extends Params, R>(statement: Statement<P, R>, params: P) =>
      (await query(statement, params)).rows as R[],
    first: async <P extends Params, R>(statement: Statement<P, R>, params: P) =>
      (await query(statement, params)).rows[0] as R | undefined,
    run: async <P extends Params, R>(statement: Statement<P, R>, params: P) =>
      (await query(statement, params)).rowCount ?? 0,
  }
}

async function transaction<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const client = await connect(pool)
    const hooks: (() => void)[] = []
    let broken: Error | undefined
    try {
      await client.query('begin')
      const tx: Tx = {
        ...handle((config) => client.query(config)),
        transaction: (inner) => inner(tx),
        afterCommit: (hook) => void hooks.push(hook),
      }
      const value = await work(tx)
      await client.query('commit')
      for (const hook of hooks) hook()
      return value
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => (broken = failure))
      const code = codeOf(error)
      if (code === STALE_PLAN) broken = error as Error
      if (attempt > RETRIES || !(RETRYABLE.has(code) || broken === error)) throw translate(error)
    } finally {
      client.release(broken)
    }
    await sleep(Math.random() * 5 * 2 ** attempt)
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw translate(error)
  }
}

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  return String(code ?? cause?.code ?? '')
}

function translate(error: unknown): unknown {
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
