import type { Handle } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { AppRow } from '../db/console-tables.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { updateKeysRevoked } from '../keys/queries.ts'
import { scopesToJson } from '../keys/scopes.ts'
import { findUserLocked } from '../users/accounts.ts'
import { deleteWebhooksOf } from '../webhooks/queries.ts'
import { countApps, findApp, findAppLocked, insertApp, updateAppRow } from './queries.ts'
import { type AppRecord, type CreateAppInput, toApp, type UpdateAppInput } from './schema.ts'

const APPS_MAX = 100

/** Returns the viewer's app. Errors: 404 APP_NOT_FOUND when it is missing, deleted or another user's. */
export async function requireApp(db: Handle, viewer: Viewer, id: string): Promise<AppRow> {
  const app = await findApp(db, id, viewer.id)
  if (!app) throw new ApiError('APP_NOT_FOUND')
  return app
}

/** Creates an app. Errors: 409 LIMIT_REACHED when the viewer already has APPS_MAX apps. */
export function createApp(
  db: Handle,
  viewer: Viewer,
  input: CreateAppInput,
  now: number,
): Promise<AppRecord> {
  return db.transaction(async (tx) => {
    await findUserLocked(tx, viewer.id)
    if ((await countApps(tx, viewer.id)) >= APPS_MAX) throw new ApiError('LIMIT_REACHED')
    const app: AppRow = {
      id: newId('app', now),
      owner_id: viewer.id,
      app_name: input.app_name,
      app_type: input.app_type,
      description: input.description || null,
      redirect_uris: redirectUrisToJson(input.redirect_uris ?? []),
      scopes: scopesToJson(input.scopes ?? []),
      created_at: now,
      updated_at: now,
      deleted_at: null,
    }
    await insertApp(tx, app)
    return toApp(app)
  })
}

function redirectUrisToJson(uris: readonly string[]): string {
  return JSON.stringify([...new Set(uris)])
}

/**
 * Updates an app. A scope that the app loses also stops working in the app's keys, from their next request on. Errors:
 * 404 APP_NOT_FOUND.
 */
export function updateApp(
  db: Handle,
  viewer: Viewer,
  id: string,
  input: UpdateAppInput,
  now: number,
): Promise<AppRecord> {
  return db.transaction(async (tx) => {
    const before = await findAppLocked(tx, id, viewer.id)
    if (!before) throw new ApiError('APP_NOT_FOUND')
    if (Object.keys(input).length === 0) return toApp(before)
    const { app_name, app_type, description, redirect_uris, scopes } = input
    const after: AppRow = {
      ...before,
      app_name: app_name ?? before.app_name,
      app_type: app_type ?? before.app_type,
      description: description === undefined ? before.description : description || null,
      redirect_uris: redirect_uris ? redirectUrisToJson(redirect_uris) : before.redirect_uris,
      scopes: scopes ? scopesToJson(scopes) : before.scopes,
      updated_at: Math.max(now, before.updated_at),
    }
    await updateAppRow(tx, after)
    return toApp(after)
  })
}

/**
 * Deletes an app with its webhooks and their secrets, and revokes its keys. Pending events are not sent.
 * Errors: 404 APP_NOT_FOUND.
 */
export function deleteApp(db: Handle, viewer: Viewer, id: string, now: number): Promise<void> {
  return db.transaction(async (tx) => {
    // Creating a webhook takes the same lock, so no webhook can be added during the deletion.
    await findUserLocked(tx, viewer.id)
    const app = await findAppLocked(tx, id, viewer.id)
    if (!app) throw new ApiError('APP_NOT_FOUND')
    await updateAppRow(tx, { ...app, deleted_at: now })
    await updateKeysRevoked(tx, id, now)
    await deleteWebhooksOf(tx, id, now)
  })
}
