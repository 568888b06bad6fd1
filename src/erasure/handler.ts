import type { Clock } from '../clock.ts'
import type { Db } from '../db/handle.ts'
import { deleteJobOf } from '../jobs/rules.ts'
import type { Worker } from '../jobs/worker.ts'
import type { Store } from '../storage/store.ts'
import { eraseContentRows } from './content-steps.ts'
import { ErasureLog } from './log.ts'
import { eraseUserRows } from './user-steps.ts'

export interface ErasureDeps {
  db: Db
  store: Store
  clock: Clock
  worker: Worker
  config: { dataDir: string }
}

/** Registers the handler of the jobs that erase contents and users. */
export function handleErasures({ db, store, clock, worker, config }: ErasureDeps): void {
  const log = new ErasureLog(config.dataDir)
  const deps = { db, store, now: () => clock.now() }
  worker.handle('erasure', async ({ subject }, { signal }) => {
    const erase = subject.startsWith('usr_') ? eraseUserRows : eraseContentRows
    await log.sync(db)
    await erase(deps, subject, signal)
    return (tx) => deleteJobOf(tx, 'erasure', subject)
  })
}
