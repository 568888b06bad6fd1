import { sql } from 'kysely'
import type { Db, Handle } from '../db/handle.ts'
import { updateRows } from '../db/rows.ts'
import { type AsParams, type Query, statement, FALSE, TRUE } from '../db/statement.ts'
import type { Flag } from '../db/flag.ts'
import { canEnd } from './delivery-queries.ts'

/**
 * Ids of the webhooks that have pending deliveries. The recursion jumps from one webhook to the next in the index, so
 * many deliveries of one webhook do not slow the query.
 */
const QUEUES = sql<{ webhook_id: string }>`(
  with recursive queues (webhook_id) as (
    select (select webhook_id from webhook_deliveries
      where next_attempt_at is not null order by webhook_id limit 1)
    union all
    select (select later.webhook_id from webhook_deliveries as later
      where later.next_attempt_at is not null and later.webhook_id > queues.webhook_id
      order by later.webhook_id limit 1)
    from queues where queues.webhook_id is not null
  )
  select webhook_id from queues where webhook_id is not null
)`

/**
 * Selects the state of every queue with pending deliveries. `is_disabled` is 1 when the webhook is disabled or the
 * app is deleted.
 */
const queueStates = (q: Query) =>
  q
    .selectFrom(QUEUES.as('queues'))
    .innerJoin('webhooks', 'webhooks.id', 'queues.webhook_id')
    .innerJoin('apps', 'apps.id', 'webhooks.app_id')
    .innerJoin('users', 'users.id', 'webhooks.owner_id')
    .select(['webhooks.id', 'webhooks.owner_id'])
    .select(['webhooks.failure_count', 'webhooks.lease', 'webhooks.leased_until'])
    .select([
      sql<Flag>`case when webhooks.is_active = 1 and apps.deleted_at is null then 0 else 1 end`.as(
        'is_disabled',
      ),
      'users.is_suspended',
      sql<number>`(select next_attempt_at from webhook_deliveries
        where webhook_id = queues.webhook_id and next_attempt_at is not null
        order by next_attempt_at limit 1)`.as('due_at'),
    ])

interface QueueFilter {
  now: number
  busy: string[]
  full: string[]
  share: number
  limit: number
  /** Maximum number of disabled queues in the result. `limit` does not count disabled queues. */
  disabledLimit: number
}

const IN_TURN = sql`case when queue.failure_count = 0 then 0 else 1 end,
  coalesce(queue.leased_until, 0), queue.due_at`

// Sorts queues without failures before failing ones, and each group by the queue's position among all due queues of
// its owner. Owners therefore take turns.
const EACH_OWNER_FIRST = sql`case when queue.failure_count = 0 then 0 else 1 end, queue.place, ${IN_TURN}`

const due = statement((q, p: AsParams<QueueFilter> & { withFailing: Flag }, dialect) => {
  const wanted = q
    .selectFrom(queueStates(q).as('queue'))
    .selectAll('queue')
    .select(
      sql<number>`row_number() over (partition by queue.is_disabled, queue.owner_id order by ${IN_TURN})`.as(
        'place',
      ),
    )
    .where((e) =>
      e.or([
        e.and([
          e('queue.is_disabled', '=', 1),
          e.exists(
            e
              .selectFrom('webhook_deliveries')
              .select('webhook_deliveries.id')
              .whereRef('webhook_id', '=', 'queue.id')
              .where('next_attempt_at', 'is not', null)
              .where(canEnd(p.now)),
          ),
        ]),
        e.and([
          e('queue.is_disabled', '=', 0),
          e('queue.is_suspended', '=', 0),
          e('queue.due_at', '<=', p.now),
          e.or([e('queue.lease', 'is', null), e('queue.leased_until', '<=', p.now)]),
          sql<boolean>`(queue.failure_count = 0 or ${p.withFailing} = 1)`,
          sql<boolean>`not (${dialect.anyOf('queue.id', p.busy)})`,
          sql<boolean>`not (${dialect.anyOf('queue.owner_id', p.full)})`,
        ]),
      ]),
    )
  const ranked = q
    .selectFrom(wanted.as('queue'))
    .selectAll('queue')
    .select(
      sql<number>`row_number() over (partition by queue.is_disabled order by ${EACH_OWNER_FIRST})`.as(
        'nth',
      ),
    )
    .where('queue.place', '<=', p.share)
  return q
    .selectFrom(ranked.as('queue'))
    .select(['queue.id', 'queue.owner_id', 'queue.is_disabled', 'queue.failure_count'])
    .where((e) =>
      e.or([
        e.and([e('queue.is_disabled', '=', 0), e('queue.nth', '<=', p.limit)]),
        e.and([e('queue.is_disabled', '=', 1), e('queue.nth', '<=', p.disabledLimit)]),
      ]),
    )
    .orderBy('queue.is_disabled')
    .orderBy('queue.nth')
})

/**
 * Returns due queues: first those without failures, next failing ones (with `withFailing`), last disabled ones with
 * deliveries to mark as failed. Sorts each group by the queue's position among all due queues of its owner, so owners
 * take turns. Queues with the same position are sorted by the end of their last turn, oldest first. Skips suspended
 * owners, except for disabled queues.
 */
export function listDueQueues(db: Handle, wanted: QueueFilter & { withFailing: boolean }) {
  return db.all(due, { ...wanted, withFailing: wanted.withFailing ? 1 : 0 })
}

const firstDue = statement((q) =>
  q
    .selectFrom(queueStates(q).as('queue'))
    .select((e) => e.fn.min('queue.due_at').as('due_at'))
    .where('queue.is_disabled', '=', 0)
    .where('queue.is_suspended', '=', 0),
)

/** Returns the earliest due time of a delivery that can be sent, or null when there is none. */
export async function findFirstDue(db: Handle): Promise<number | null> {
  return (await db.first(firstDue, {}))?.due_at ?? null
}

const claim = statement(
  (q, p: { ids: string[]; lease: string; leased_until: number; now: number }, dialect) => {
    const free = q
      .selectFrom('webhooks')
      .select('id')
      .where(dialect.anyOf('id', p.ids))
      .where((e) => e.or([e('lease', 'is', null), e('leased_until', '<=', p.now)]))
    return q
      .updateTable('webhooks')
      .set({ lease: p.lease, leased_until: p.leased_until })
      .where('id', 'in', dialect.engine === 'postgres' ? free.forNoKeyUpdate().skipLocked() : free)
      .returning('id')
  },
)

/** Claims queues and returns their ids. Skips queues that another process has claimed or is claiming. */
export function claimQueues(
  db: Db,
  claimed: { ids: string[]; lease: string; leased_until: number; now: number },
): Promise<{ id: string }[]> {
  return db.transaction((tx) => tx.all(claim, claimed))
}

/** Releases a queue. Does nothing when the lease has expired and another process has claimed the queue. */
export async function releaseQueue(
  db: Handle,
  held: { id: string; lease: string; now: number },
): Promise<void> {
  await updateRows(
    db,
    'webhooks',
    { id: held.id, lease: held.lease },
    { lease: null, leased_until: held.now },
  )
}

const sendings = (q: Query) =>
  q
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .select([
      'delivery.id',
      'delivery.webhook_id',
      'delivery.event_id',
      'delivery.cause',
      'delivery.attempt_count',
      'event.payload',
      'webhooks.endpoint_url',
      'webhooks.secret',
      'webhooks.signing_secret',
      'webhooks.previous_signing_secret',
      'webhooks.previous_until',
    ])

const next = statement((q, p: { webhookId: string; now: number }) =>
  sendings(q)
    .innerJoin('apps', 'apps.id', 'webhooks.app_id')
    .innerJoin('users', 'users.id', 'webhooks.owner_id')
    .where('delivery.id', '=', (e) =>
      // A separate subquery makes the planner read a single entry of the index.
      e
        .selectFrom('webhook_deliveries as due')
        .select('due.id')
        .where('due.webhook_id', '=', p.webhookId)
        .where('due.next_attempt_at', '<=', p.now)
        .orderBy('due.next_attempt_at')
        .orderBy('due.id')
        .limit(1),
    )
    .where('webhooks.is_active', '=', TRUE)
    .where('apps.deleted_at', 'is', null)
    .where('users.is_suspended', '=', FALSE),
)

/**
 * Returns a webhook's due delivery with the earliest due time. Returns undefined when none is due, the webhook is
 * disabled, its app is deleted or its owner is suspended. First attempts are due in the order of their events.
 */
export function findNextSending(db: Handle, webhookId: string, now: number) {
  return db.first(next, { webhookId, now })
}

const byId = statement((q, p: { id: string }) => sendings(q).where('delivery.id', '=', p.id))

/** Returns the delivery with this id, even if it is not due. */
export function findSending(db: Handle, id: string) {
  return db.first(byId, { id })
}

export type Sending = NonNullable<Awaited<ReturnType<typeof findSending>>>
