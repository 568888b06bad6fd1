import type { Db, Run } from './handle.ts'

/**
 * Runs `work` on one moment of the database, whatever is written meanwhile, and changes nothing. With
 * `lock` nobody else writes to an embedded database until it is over.
 */
export function withSnapshot<T>(
  db: Db,
  work: (run: Run) => Promise<T>,
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
      value = await work(run)
    } catch (error) {
      // What ended the transaction already is told by the first error.
      await run('rollback').catch(() => {})
      throw error
    }
    await run('rollback')
    return value
  })
}
