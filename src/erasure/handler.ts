import type { Clock } from '../clock.ts'
import type { Db } from '../db/handle.ts'
import { deleteJobOf } from '../jobs/rules.ts'
import type { Worker } from '../jobs/worker.ts'
import type { Store } from '../storage/store.ts'
import { eraseContentRows } from './content-steps.ts'
import type { ErasureLog } from './log.ts'
import { eraseUserRows } from './user-steps.ts'

export interface ErasureDeps {
  db: Db
  store: Store
  clock: Clock
  worker: Worker
  erasureLog: ErasureLog
}

/** Registers the handler of the jobs that erase contents and users. */
export function handleErasures({ db, store, clock, worker, erasureLog }: ErasureDeps): void {
  const deps = { db, store, now: () => clock.now() }
  worker.handle('erasure', async ({ subject }, { signal }) => {
    const erase = subject.startsWith('usr_') ? eraseUserRows : eraseContentRows
    await erasureLog.sync(db)
    await erase(deps, subject, signal)
    return (tx) => deleteJobOf(tx, 'erasure', subject)
  })
}
