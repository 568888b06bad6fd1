import type { Db, Run } from './handle.ts'

/**
 * Runs `action` in a transaction that sees the database as it was at one moment, then rolls back. Returns the result
 * of `action`. With `lock`, an embedded database accepts no other writes until the rollback.
 */
export function withSnapshot<T>(
  db: Db,
  action: (run: Run) => Promise<T>,
  { lock = false }: { lock?: boolean } = {},
): Promise<T> {
  return db.script(async (run) => {
    if (db.engine === 'sqlite') await run(lock ? 'begin immediate' : 'begin')
    else {
      await run('begin transaction isolation level repeatable read read only')
      await run('set local statement_timeout = 0')
      await run('set local idle_in_transaction_session_timeout = 0')
    }
    let value: T
    try {
      value = await action(run)
    } catch (error) {
      // The rollback fails if the database has already ended the transaction. The first error matters.
      await run('rollback').catch(() => {})
      throw error
    }
    await run('rollback')
    return value
  })
}
