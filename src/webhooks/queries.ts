import type { Handle, Tx } from '../db/handle.ts'
import { findRowLocked, insertRow, listRowsLocked, updateRows } from '../db/rows.ts'
import { FALSE, type Query, pickParams, statement } from '../db/statement.ts'
import type { WebhookRow } from '../db/console-tables.ts'

function present(q: Query) {
  return q
    .selectFrom('webhooks')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where((e) =>
      e.exists(
        e
          .selectFrom('apps')
          .select('apps.id')
          .whereRef('apps.id', '=', 'webhooks.app_id')
          .where('apps.deleted_at', 'is', null),
      ),
    )
}

const ofApp = statement((q, p: { appId: string }) =>
  present(q).where('app_id', '=', p.appId).orderBy('id', 'desc'),
)

/**
 * Returns all webhooks of an app, newest first, except deleted ones. Their number is limited, so the list has
 * no pages.
 */
export function listWebhookRows(db: Handle, appId: string) {
  return db.all(ofApp, { appId })
}

const countOf = statement((q, p: { ownerId: string }) =>
  present(q)
    .clearSelect()
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('owner_id', '=', p.ownerId),
)

export async function countWebhooks(db: Handle, ownerId: string): Promise<number> {
  return (await db.first(countOf, { ownerId }))?.count ?? 0
}

const byId = statement((q, p: { id: string; ownerId: string }) =>
  present(q).where('id', '=', p.id).where('owner_id', '=', p.ownerId),
)

/**
 * Returns a user's webhook. Returns undefined when another user owns it, or when the webhook or its app is
 * deleted.
 */
export function findWebhook(db: Handle, id: string, ownerId: string) {
  return db.first(byId, { id, ownerId })
}

const byIdLocked = statement((q, p: { id: string; ownerId: string }, dialect) =>
  dialect.locked(present(q).where('id', '=', p.id).where('owner_id', '=', p.ownerId)),
)

/** Returns a webhook like `findWebhook`, and locks it until the transaction ends. */
export function findWebhookLocked(tx: Tx, id: string, ownerId: string) {
  return tx.first(byIdLocked, { id, ownerId })
}

export async function insertWebhook(tx: Tx, webhook: WebhookRow): Promise<void> {
  await insertRow(tx, 'webhooks', webhook)
}

/** Stores the changed fields of a webhook after a request of its owner. The caller holds the webhook's lock. */
export async function updateWebhookRow(tx: Tx, webhook: WebhookRow): Promise<void> {
  await updateRows(
    tx,
    'webhooks',
    { id: webhook.id },
    pickParams(webhook, [
      'endpoint_url',
      'events',
      'is_active',
      'failure_count',
      'failing_since',
      'failed_at',
      'failing_ms',
      'secret',
      'signing_secret',
      'previous_signing_secret',
      'previous_until',
      'updated_at',
      'deleted_at',
    ]),
  )
}

/** Locks and returns a webhook, even a disabled or deleted one. */
export function lockWebhook(tx: Tx, id: string) {
  return findRowLocked(tx, 'webhooks', { id })
}

const deleteAll = statement((q, p: { ids: string[]; now: number }, dialect) =>
  q
    .updateTable('webhooks')
    .set((e) => ({
      is_active: FALSE,
      secret: null,
      signing_secret: null,
      previous_signing_secret: null,
      previous_until: null,
      updated_at: dialect.greatest(e.ref('updated_at'), p.now),
      deleted_at: p.now,
    }))
    .where(dialect.anyOf('id', p.ids)),
)

/**
 * Marks an app's webhooks as deleted and erases their secrets. Locks the webhooks in the order of their ids
 * to prevent deadlocks.
 */
export async function deleteWebhooksOf(tx: Tx, appId: string, now: number): Promise<void> {
  const ids = (await listRowsLocked(tx, 'webhooks', { app_id: appId, deleted_at: null }, 'id')).map(
    ({ id }) => id,
  )
  if (ids.length > 0) await tx.run(deleteAll, { ids, now })
}

type Health = Pick<
  WebhookRow,
  'id' | 'is_active' | 'failure_count' | 'failing_since' | 'failed_at' | 'failing_ms' | 'updated_at'
>

/** Stores the health of a webhook. The caller holds the webhook's lock. */
export async function updateHealth(tx: Tx, webhook: Health): Promise<void> {
  await updateRows(
    tx,
    'webhooks',
    { id: webhook.id },
    pickParams(webhook, [
      'is_active',
      'failure_count',
      'failing_since',
      'failed_at',
      'failing_ms',
      'updated_at',
    ]),
  )
}
