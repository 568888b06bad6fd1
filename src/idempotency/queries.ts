import { deleteInBatches, deleteSome } from '../db/batches.ts'
import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { above, atMost } from '../db/conditions.ts'
import { findRow, putRow } from '../db/rows.ts'
import { statement } from '../db/statement.ts'
import type { IdempotencyKeyRow } from '../db/tables.ts'

const KEY = ['caller', 'route', 'key'] as const

const lock = statement((q, p: { name: string }, { engine }) =>
  q.selectNoFrom(
    engine === 'postgres'
      ? sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${p.name}, 0))`.as('taken')
      : sql<number>`${p.name} is not null`.as('taken'),
  ),
)

/**
 * Locks a key until the transaction ends. Returns false while another transaction holds the lock. SQLite has
 * one writer and needs no lock.
 */
export async function tryLockKey(tx: Tx, name: string): Promise<boolean> {
  return Boolean((await tx.first(lock, { name }))?.taken)
}

export function findStoredAnswer(
  tx: Tx,
  { caller, route, key }: { caller: string; route: string; key: string },
  now: number,
) {
  return findRow(tx, 'idempotency_keys', { caller, route, key, expires_at: above(now) })
}

/** Stores a response. Replaces an expired response with the same key. */
export async function storeAnswer(tx: Tx, row: IdempotencyKeyRow): Promise<void> {
  await putRow(tx, 'idempotency_keys', KEY, row)
}

export async function deleteExpiredAnswers(db: Handle, now: number): Promise<void> {
  await deleteInBatches(db, 'idempotency_keys', KEY, { expires_at: atMost(now) })
}

/** Deletes up to `limit` stored responses of a caller. Returns their number. */
export function eraseAnswers(tx: Tx, caller: string, limit: number): Promise<number> {
  return deleteSome(tx, 'idempotency_keys', KEY, { caller }, limit)
}
