import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { BATCH, inBatches } from '../db/batches.ts'
import { pickParams, statement } from '../db/statement.ts'

/**
 * Tolerance for clock differences between processes and for requests that wait. A window that ends even later was
 * written by a wrong clock.
 */
const SLACK_MS = 60_000
const WINDOW_MAX_MS = 3_600_000

/** True while the window has not expired. False when a wrong clock must have written `resetsAt`. */
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

/** Counts an attempt in the current window of the bucket, or in a new one. */
export async function takeAttempt(tx: Tx, bucket: string, now: number, windowMs: number) {
  const resets_at = now + windowMs
  const row = await tx.first(take, { bucket, now, resets_at, latest: resets_at + SLACK_MS })
  return row as { count: number; resets_at: number }
}

const giveBack = statement((q, p: { bucket: string; now: number }) =>
  q
    .updateTable('attempts')
    .set((e) => ({ count: e('count', '-', 1) }))
    .where('bucket', '=', p.bucket)
    .where('resets_at', '>', p.now)
    .where('count', '>', 0),
)

export async function giveBackAttempt(tx: Tx, bucket: string, now: number): Promise<void> {
  await tx.run(giveBack, { bucket, now })
}

const byBucket = statement((q, p: { bucket: string }) =>
  q.selectFrom('attempts').select(['count', 'resets_at']).where('bucket', '=', p.bucket),
)

export function findAttempts(db: Handle, bucket: string) {
  return db.first(byBucket, { bucket })
}

const removeOver = statement((q, p: { now: number; latest: number }) =>
  q
    .deleteFrom('attempts')
    // Repeats the condition on the row to delete, because a new window may have started since the select.
    .where((e) => e.or([e('resets_at', '<=', p.now), e('resets_at', '>', p.latest)]))
    .where('bucket', 'in', (e) =>
      e
        .selectFrom('attempts')
        .select('bucket')
        .where((or) => or.or([or('resets_at', '<=', p.now), or('resets_at', '>', p.latest)]))
        .limit(BATCH),
    ),
)

export async function deleteExpiredAttempts(db: Handle, now: number): Promise<void> {
  await inBatches(() => db.run(removeOver, { now, latest: now + WINDOW_MAX_MS + SLACK_MS }))
}

const publicContents = statement((q, p: { userId: string }) =>
  q.selectFrom('user_counts').select('content_count').where('user_id', '=', p.userId),
)

/** True for a user with public content. */
export async function isCreator(db: Handle, userId: string): Promise<boolean> {
  return ((await db.first(publicContents, { userId }))?.content_count ?? 0) > 0
}
