import type { Db } from '../db/handle.ts'
import { deleteJobOf } from '../jobs/rules.ts'
import type { Worker } from '../jobs/worker.ts'
import type { Store } from '../storage/store.ts'
import { eraseContentRows } from './content-steps.ts'

export interface ErasureDeps {
  db: Db
  store: Store
  worker: Worker
}

/** Registers the jobs that erase contents. */
export function handleErasures(deps: ErasureDeps): void {
  deps.worker.handle('erasure', async ({ subject }, { signal }) => {
    await eraseContentRows(deps, subject, signal)
    return (tx) => deleteJobOf(tx, 'erasure', subject)
  })
}
