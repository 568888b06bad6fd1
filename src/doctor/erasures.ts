import { findContent } from '../contents/queries.ts'
import type { Db } from '../db/handle.ts'
import { erasureLogIn, readErasureLog } from '../erasure/log.ts'
import { findJob } from '../jobs/rules.ts'
import { findManagedUser } from '../users/managed.ts'

/**
 * Returns a message when users or content items in `erasures.jsonl` still have data and no queued erasure.
 * Otherwise returns an empty list.
 */
export async function examineErasures(db: Db, dataDir: string): Promise<string[]> {
  const left: string[] = []
  for (const { id } of readErasureLog(erasureLogIn(dataDir))) {
    const exists = (await findContent(db, id)) ?? (await findManagedUser(db, id))
    if (exists && !(await findJob(db, 'erasure', id))) left.push(id)
  }
  if (left.length === 0) return []
  return [`${left.length} erased users and contents have data, such as ${left[0]}`]
}
