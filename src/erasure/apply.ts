import { findContent } from '../contents/queries.ts'
import { lockContent } from '../contents/rules.ts'
import { closeContents } from '../contents/visibility.ts'
import type { ErasureRow } from '../db/erasure-tables.ts'
import type { Db } from '../db/handle.ts'
import { deleteJobOf } from '../jobs/rules.ts'
import type { Store } from '../storage/store.ts'
import { findDeletion } from '../users/deletions.ts'
import { listUserAndAdminsLocked } from '../users/managed.ts'
import { ERASED_OWNER } from '../users/tombstones.ts'
import { beginContentErasure, lockForErasure, queueErasure } from './begin-content.ts'
import { eraseContentRows } from './content-steps.ts'
import { beginUserErasure, type DeletionSettings } from './deletions.ts'
import { listKnownErasures, listQueuedErasures } from './queries.ts'
import { eraseUserRows } from './user-steps.ts'

const BATCH = 100

/**
 * Repeats logged erasures that a restored database lacks, and returns the number of erasures begun. Erases a
 * user's contents and texts unless the database contains the user's choice to keep them.
 */
export async function applyErasures(
  db: Db,
  config: DeletionSettings,
  entries: readonly ErasureRow[],
): Promise<number> {
  let begun = 0
  for (const { id, erased_at: erasedAt } of await withoutKnown(db, entries)) {
    const begin = id.startsWith('usr_') ? beginUser : beginContent
    if (await begin(db, config, id, erasedAt)) begun++
  }
  return begun
}

/**
 * Returns the entries that the table `erasures` lacks. The table contains erasures from before the backup, and
 * erasures that have begun again since the restore.
 */
async function withoutKnown(db: Db, entries: readonly ErasureRow[]): Promise<ErasureRow[]> {
  const unknown = new Map(entries.map((entry) => [entry.id, entry]))
  const ids = [...unknown.keys()]
  for (let start = 0; start < ids.length; start += BATCH) {
    for (const id of await listKnownErasures(db, ids.slice(start, start + BATCH)))
      unknown.delete(id)
  }
  return [...unknown.values()]
}

function beginUser(
  db: Db,
  config: DeletionSettings,
  id: string,
  erasedAt: number,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await queueErasure(tx, id, erasedAt)
    const users = await listUserAndAdminsLocked(tx, { id, viewerId: id })
    const user = users.find((row) => row.id === id)
    if (!user) {
      await deleteJobOf(tx, 'erasure', id)
      return false
    }
    const choices = (await findDeletion(tx, id)) ?? ({ contents: 'erase', texts: 'erase' } as const)
    const act = { actorId: null, requestId: null, reason: null }
    await beginUserErasure(tx, config, user, choices, { act, now: erasedAt })
    return true
  })
}

async function beginContent(
  db: Db,
  _: DeletionSettings,
  id: string,
  erasedAt: number,
): Promise<boolean> {
  const found = await findContent(db, id)
  if (!found || found.creator_id === ERASED_OWNER) return false
  await db.transaction(async (tx) => {
    await lockForErasure(tx, id, erasedAt)
    const stats = await lockContent(tx, id)
    if (!stats || stats.creator_id === ERASED_OWNER) return
    await closeContents(tx, [{ id, creator_id: stats.creator_id }])
    // `was_public: 0` suppresses the webhook event, which the first erasure has already emitted.
    await beginContentErasure(tx, { ...stats, id, was_public: 0 }, erasedAt)
  })
  return true
}

/** Completes all queued erasures without a worker. No server may be running. */
export async function completeErasures(deps: {
  db: Db
  store: Store
  now: () => number
}): Promise<void> {
  for (;;) {
    const ids = await listQueuedErasures(deps.db, BATCH)
    if (ids.length === 0) return
    for (const id of ids) {
      await (id.startsWith('usr_') ? eraseUserRows(deps, id) : eraseContentRows(deps, id))
      await deps.db.transaction((tx) => deleteJobOf(tx, 'erasure', id))
    }
  }
}
