import type { Handle, Tx } from '../db/handle.ts'
import { type AsParams, FALSE, type Query, pickParams, statement, TRUE } from '../db/statement.ts'
import type { WebhookRow } from '../db/console-tables.ts'
import type { EventKind } from './kinds.ts'

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

/** The number of webhooks is limited, so the list has no pages. */
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

/** Returns undefined when the webhook belongs to another user, or it or its app is deleted. */
export function findWebhook(db: Handle, id: string, ownerId: string) {
  return db.first(byId, { id, ownerId })
}

const byIdLocked = statement((q, p: { id: string; ownerId: string }, dialect) =>
  dialect.locked(present(q).where('id', '=', p.id).where('owner_id', '=', p.ownerId)),
)

/** Like `findWebhook`, and locks the webhook until the transaction ends. */
export function findWebhookLocked(tx: Tx, id: string, ownerId: string) {
  return tx.first(byIdLocked, { id, ownerId })
}

const subscribers = statement((q, p: { ownerId: string; kind: string }, dialect) =>
  present(q)
    .clearSelect()
    .select('id')
    .where('owner_id', '=', p.ownerId)
    .where('is_active', '=', TRUE)
    .where(dialect.contains('events', p.kind))
    .orderBy('id'),
)

export async function listSubscribers(tx: Tx, ownerId: string, kind: EventKind): Promise<string[]> {
  // Puts the kind in quotes, as in the JSON list, so that it matches only as a whole.
  const rows = await tx.all(subscribers, { ownerId, kind: JSON.stringify(kind) })
  return rows.map(({ id }) => id)
}

const insert = statement((q, p: AsParams<WebhookRow>) =>
  q
    .insertInto('webhooks')
    .values(
      pickParams(p, [
        'id',
        'owner_id',
        'app_id',
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
        'ended_count',
        'lease',
        'leased_until',
        'created_at',
        'updated_at',
        'deleted_at',
      ]),
    ),
)

export async function insertWebhook(tx: Tx, webhook: WebhookRow): Promise<void> {
  await tx.run(insert, { ...webhook })
}

const update = statement((q, p: AsParams<WebhookRow>) =>
  q
    .updateTable('webhooks')
    .set(
      pickParams(p, [
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
    .where('id', '=', p.id),
)

/** The caller holds the webhook's lock. */
export async function updateWebhookRow(tx: Tx, webhook: WebhookRow): Promise<void> {
  await tx.run(update, { ...webhook })
}

const locked = statement((q, p: { id: string }, dialect) =>
  dialect.locked(q.selectFrom('webhooks').selectAll().where('id', '=', p.id)),
)

/** Locks and returns a webhook, even a disabled or deleted one. */
export function lockWebhook(tx: Tx, id: string) {
  return tx.first(locked, { id })
}

const lockedOfApp = statement((q, p: { appId: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('webhooks')
      .select('id')
      .where('app_id', '=', p.appId)
      .where('deleted_at', 'is', null)
      .orderBy('id'),
  ),
)
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

/** Deletes an app's webhooks and their secrets. Locks them in the order of their ids to prevent deadlocks. */
export async function deleteWebhooksOf(tx: Tx, appId: string, now: number): Promise<void> {
  const ids = (await tx.all(lockedOfApp, { appId })).map(({ id }) => id)
  if (ids.length > 0) await tx.run(deleteAll, { ids, now })
}

type Health = Pick<
  WebhookRow,
  'id' | 'is_active' | 'failure_count' | 'failing_since' | 'failed_at' | 'failing_ms' | 'updated_at'
>

const health = statement((q, p: AsParams<Health>) =>
  q
    .updateTable('webhooks')
    .set(
      pickParams(p, [
        'is_active',
        'failure_count',
        'failing_since',
        'failed_at',
        'failing_ms',
        'updated_at',
      ]),
    )
    .where('id', '=', p.id),
)

/** The caller holds the webhook's lock. */
export async function updateHealth(tx: Tx, webhook: Health): Promise<void> {
  await tx.run(health, { ...webhook })
}
