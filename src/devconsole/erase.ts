import type { Tx } from '../db/handle.ts'
import { endKeysOf } from '../keys/queries.ts'
import { deleteWebhooksOf } from '../webhooks/queries.ts'
import { findAppLocked, listApps, updateAppRow } from './queries.ts'

/**
 * Deletes the apps of a user with their webhooks, and revokes all keys of the user. The caller holds the user's
 * lock.
 */
export async function endAppsOf(tx: Tx, ownerId: string, now: number): Promise<void> {
  for (const { id } of (await listApps(tx, ownerId)).toReversed()) {
    const app = await findAppLocked(tx, id, ownerId)
    if (!app) continue
    const empty = { app_name: '', description: null, redirect_uris: '[]', scopes: '[]' }
    await updateAppRow(tx, { ...app, ...empty, deleted_at: now })
    await deleteWebhooksOf(tx, id, now)
  }
  await endKeysOf(tx, ownerId, now)
}
