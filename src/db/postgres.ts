/**
 * The PostgreSQL engine, based on `pg`. Transactions run at READ COMMITTED with explicit row locks, and run again
 * after a deadlock or serialisation failure. All statements that a transaction issues before its next await are sent
 * in one batch (`pipeline.ts`).
 *
 * `?pgbouncer=true` in the URL means PgBouncer in transaction mode: each transaction may use another connection. The
 * engine then prepares no statements, and sends the timeouts with each transaction and each single statement.
 */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Db, DatabaseUnreachable, type Tx } from './handle.ts'
import { sendPipeline, type Command, type CommandResult } from './pipeline.ts'
import {
  type Connections,
  connect,
  PipelinedTransaction,
  SET_TIMEOUTS,
  TIMEOUTS,
} from './pipelined-transaction.ts'
import { codeOf, connectionError, RETRYABLE, STALE_PLAN, translate } from './postgres-errors.ts'
import type { Params, Statement } from './statement.ts'

const RETRIES = 8
/** Pool size. Also the maximum retries after stale statements, because each connection may have a stale statement. */
const CONNECTIONS = 10
/** Sets the timeouts before a single statement behind PgBouncer. Has no name, because it must not be prepared. */
const TIMED: Command = { text: SET_TIMEOUTS.text, values: SET_TIMEOUTS.values }

// Parses int8 and numeric as numbers, because all stored values are below 2^53.
pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1700, Number)

export interface PostgresOptions {
  setting: 'DATABASE_URL' | 'DATABASE_REPLICA_URL'
  /** Called with false and the reason when an outage starts, and with true when it ends. */
  onReachable?: (isReachable: boolean, reason?: Error) => void
}

/** Opens a database through a connection pool, which connects when the first statement runs. */
export function openPostgres(url: string, { setting, onReachable }: PostgresOptions): Db {
  const isPooled = new URL(url).searchParams.get('pgbouncer') === 'true'
  // The pool awaits `onConnect`, although the type allows no promise.
  const options: Omit<pg.PoolConfig, 'onConnect'> & { onConnect(client: pg.ClientBase): unknown } =
    {
      connectionString: url,
      max: CONNECTIONS,
      connectionTimeoutMillis: 5000,
      idleTimeoutMillis: 30_000,
      // Behind PgBouncer the timeouts cannot be startup parameters, because PgBouncer rejects them.
      ...(!isPooled && TIMEOUTS),
      application_name: 'plaza',
      onConnect: async (client) => {
        await setDefaults(client, isPooled, setting)
        report(true)
      },
    }
  const pool = new pg.Pool(options)
  let isReachable = true
  const report = (isNow: boolean, reason?: Error) => {
    if (isNow === isReachable) return
    isReachable = isNow
    onReachable?.(isNow, reason)
  }
  // Without these listeners, an error of a connection would end the process. The pool discards broken
  // connections.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const connections: Connections = {
    pool,
    isPooled,
    connectionError(error) {
      const reason = connectionError(error, setting, url)
      if (reason instanceof DatabaseUnreachable) report(false, reason)
      return reason
    },
  }
  const signals = new EventEmitter()
  return {
    ...handle((command) => alone(connections, command), isPooled),
    signals,
    transaction: (action) => transaction(connections, signals, action),
    async script(action) {
      const client = await connect(connections)
      let isDone = false
      try {
        const value = await action(async (text) => (await client.query(text)).rows)
        isDone = true
        return value
      } finally {
        // Closes the connection after a failed script, because a transaction may still be open.
        client.release(!isDone)
      }
    },
    close: () => pool.end(),
  }
}

/**
 * Makes READ COMMITTED the isolation level of single statements, and switches off just-in-time compilation, which
 * never pays for short statements. Behind PgBouncer, only checks that READ COMMITTED is the database's default.
 * Errors: an Error when the default is another level.
 */
async function setDefaults(
  client: pg.ClientBase,
  isPooled: boolean,
  setting: PostgresOptions['setting'],
): Promise<void> {
  if (!isPooled) {
    await client.query("set default_transaction_isolation = 'read committed'; set jit = off")
    return
  }
  const { rows } = await client.query('show default_transaction_isolation')
  const level: unknown = rows[0]?.default_transaction_isolation
  if (level !== 'read committed') {
    throw new Error(
      `${setting}: the default isolation level is ${String(level)}; behind PgBouncer it must be read committed`,
    )
  }
}

/**
 * Runs a statement outside a transaction. Retries after a deadlock, a serialisation failure, or a stale
 * prepared statement, which needs a new connection.
 */
async function alone(connections: Connections, command: Command): Promise<CommandResult> {
  let [attempt, stale] = [0, 0]
  for (;;) {
    const client = await connect(connections)
    let isStale = false
    try {
      const results = await sendPipeline(
        client,
        connections.isPooled ? [TIMED, command] : [command],
      )
      return results.at(-1) as CommandResult
    } catch (error) {
      const code = codeOf(error)
      isStale = code === STALE_PLAN
      const mayRetry = isStale ? stale++ < CONNECTIONS : RETRYABLE.has(code) && ++attempt <= RETRIES
      if (!mayRetry) throw error
    } finally {
      client.release(isStale)
    }
    if (!isStale) await pauseBefore(attempt)
  }
}

/** Waits a random time, whose maximum doubles with each attempt, so that conflicts do not repeat. */
function pauseBefore(attempt: number): Promise<void> {
  return sleep(Math.random() * 5 * 2 ** attempt)
}

function handle(send: (command: Command) => Promise<CommandResult>, isPooled: boolean) {
  const query = async <P extends Params, R>(statement: Statement<P, R>, params: P) => {
    try {
      return await send(orderOf(statement, params, isPooled))
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
      Number(/\d+$/.exec((await query(statement, params)).tag)?.[0] ?? 0),
  }
}

function orderOf<P extends Params, R>(
  statement: Statement<P, R>,
  params: P,
  isPooled: boolean,
): Command {
  const { name, sql, bind } = statement.compiled('postgres')
  return { ...(!isPooled && { name }), text: sql, values: bind(params) }
}

async function transaction<T>(
  connections: Connections,
  signals: EventEmitter,
  action: (tx: Tx) => Promise<T>,
): Promise<T> {
  let [attempt, stale] = [0, 0]
  for (;;) {
    const hooks: (() => void)[] = []
    const pipelined = new PipelinedTransaction(connections)
    try {
      const value = await action(
        transactionHandle(pipelined, { signals, hooks, isPooled: connections.isPooled }),
      )
      await pipelined.commit()
      for (const hook of hooks) hook()
      return value
    } catch (error) {
      await pipelined.rollback()
      const code = codeOf(pipelined.failure ?? error)
      if (code === STALE_PLAN && stale++ < CONNECTIONS) continue
      if (!RETRYABLE.has(code) || ++attempt > RETRIES) {
        // Errors of `action` are rethrown unchanged.
        throw error === pipelined.failure ? translate(error) : error
      }
    } finally {
      pipelined.release()
    }
    await pauseBefore(attempt)
  }
}

function transactionHandle(
  pipelined: PipelinedTransaction,
  { signals, hooks, isPooled }: { signals: EventEmitter; hooks: (() => void)[]; isPooled: boolean },
): Tx {
  const tx: Tx = {
    ...handle((command) => pipelined.ask(command), isPooled),
    signals,
    send: async (statement, params) => pipelined.add(orderOf(statement, params, isPooled)),
    afterCommit: (hook) => void hooks.push(hook),
    transaction: (inner) => inner(tx),
  }
  return tx
}
