import { deleteInBatches } from '../db/batches.ts'
import { addToRows, findRow, hasRow } from '../db/rows.ts'
import { above, outside } from '../db/conditions.ts'
import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { pickParams, statement } from '../db/statement.ts'

/**
 * Tolerance in milliseconds for the end of a window, because clocks of processes differ and `now` is old after a wait.
 * A window that ends after `now`, its length and this tolerance comes from a wrong clock, so it counts as expired.
 */
const SLACK_MS = 60_000
const WINDOW_MAX_MS = 3_600_000

/**
 * True while the window has not expired. False when its end is so late that a wrong clock must have written it.
 */
export function isOpen(resetsAt: number, now: number, windowMs: number): boolean {
  return resetsAt > now && resetsAt <= now + windowMs + SLACK_MS
}

const take = statement((q, p: { bucket: string; now: number; resets_at: number; latest: number }) =>
  q
    .insertInto('attempts')
    .values({ ...pickParams(p, ['bucket', 'resets_at']), count: 1 })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet({
        count: sql<number>`case when attempts.resets_at > ${p.now} and attempts.resets_at <= ${p.latest} then attempts.count + 1 else 1 end`,
        resets_at: sql<number>`case when attempts.resets_at > ${p.now} and attempts.resets_at <= ${p.latest} then attempts.resets_at else ${p.resets_at} end`,
      }),
    )
    .returning(['count', 'resets_at']),
)

/**
 * Counts an attempt in the current window of the bucket, or in a new one. Returns the count and the end of the
 * window.
 */
export async function takeAttempt(tx: Tx, bucket: string, now: number, windowMs: number) {
  const resets_at = now + windowMs
  const row = await tx.first(take, { bucket, now, resets_at, latest: resets_at + SLACK_MS })
  return row as { count: number; resets_at: number }
}

export async function giveBackAttempt(tx: Tx, bucket: string, now: number): Promise<void> {
  await addToRows(tx, 'attempts', { bucket, resets_at: above(now), count: above(0) }, { count: -1 })
}

export function findAttempts(db: Handle, bucket: string) {
  return findRow(db, 'attempts', { bucket })
}

export async function deleteExpiredAttempts(db: Handle, now: number): Promise<void> {
  const over = outside(now, now + WINDOW_MAX_MS + SLACK_MS)
  await deleteInBatches(db, 'attempts', ['bucket'], { resets_at: over })
}

/** True for a user with public content. */
export async function isCreator(db: Handle, userId: string): Promise<boolean> {
  return hasRow(db, 'user_counts', { user_id: userId, content_count: above(0) })
}
