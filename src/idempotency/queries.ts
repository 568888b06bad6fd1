import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { BATCH, inBatches } from '../db/batches.ts'
import { type AsParams, pickParams, statement } from '../db/statement.ts'
import type { IdempotencyKeyRow } from '../db/tables.ts'

const lock = statement((q, p: { name: string }, { engine }) =>
  q.selectNoFrom(
    engine === 'postgres'
      ? sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${p.name}, 0))`.as('taken')
      : sql<number>`${p.name} is not null`.as('taken'),
  ),
)

/** Returns false while another transaction holds the lock. SQLite has one writer and needs no lock. */
export async function tryLockKey(tx: Tx, name: string): Promise<boolean> {
  return Boolean((await tx.first(lock, { name }))?.taken)
}

const byKey = statement((q, p: { caller: string; route: string; key: string; now: number }) =>
  q
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('caller', '=', p.caller)
    .where('route', '=', p.route)
    .where('key', '=', p.key)
    .where('expires_at', '>', p.now),
)

export function findStoredAnswer(
  tx: Tx,
  where: { caller: string; route: string; key: string },
  now: number,
) {
  return tx.first(byKey, { caller: where.caller, route: where.route, key: where.key, now })
}

const store = statement((q, p: AsParams<IdempotencyKeyRow>) =>
  q
    .insertInto('idempotency_keys')
    .values(
      pickParams(p, ['caller', 'route', 'key', 'fingerprint', 'status', 'data', 'expires_at']),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['caller', 'route', 'key'])
        .doUpdateSet(pickParams(p, ['fingerprint', 'status', 'data', 'expires_at'])),
    ),
)

/** Replaces an expired response with the same key. */
export async function storeAnswer(tx: Tx, row: IdempotencyKeyRow): Promise<void> {
  await tx.run(store, { ...row })
}

const removeExpired = statement((q, p: { now: number }) =>
  q
    .deleteFrom('idempotency_keys')
    // A new response may have replaced the row since the select.
    .where('expires_at', '<=', p.now)
    .where((e) =>
      e(
        e.refTuple('caller', 'route', 'key'),
        'in',
        e
          .selectFrom('idempotency_keys')
          .select(['caller', 'route', 'key'])
          .where('expires_at', '<=', p.now)
          .limit(BATCH)
          .$asTuple('caller', 'route', 'key'),
      ),
    ),
)

export async function deleteExpiredAnswers(db: Handle, now: number): Promise<void> {
  await inBatches(() => db.run(removeExpired, { now }))
}

const removeOf = statement((q, p: { caller: string; limit: number }) =>
  q
    .deleteFrom('idempotency_keys')
    .where((e) =>
      e(
        e.refTuple('caller', 'route', 'key'),
        'in',
        e
          .selectFrom('idempotency_keys')
          .select(['caller', 'route', 'key'])
          .where('caller', '=', p.caller)
          .limit(p.limit)
          .$asTuple('caller', 'route', 'key'),
      ),
    ),
)

/** Deletes up to `limit` stored responses of a caller. Returns their number. */
export function eraseAnswers(tx: Tx, caller: string, limit: number): Promise<number> {
  return tx.run(removeOf, { caller, limit })
}
