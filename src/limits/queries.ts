import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { slots, statement } from '../db/statement.ts'

const take = statement((q, p: { bucket: string; now: number; resets_at: number }) =>
  q
    .insertInto('attempts')
    .values({ ...slots(p, ['bucket', 'resets_at']), count: 1 })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet({
        count: sql<number>`case when attempts.resets_at > ${p.now} then attempts.count + 1 else 1 end`,
        resets_at: sql<number>`case when attempts.resets_at > ${p.now} then attempts.resets_at else ${p.resets_at} end`,
      }),
    )
    .returning(['count', 'resets_at']),
)

/** Counts one more in the bucket's window, opening a new one when the last is over. */
export async function takeAttempt(tx: Tx, bucket: string, now: number, resetsAt: number) {
  const row = await tx.first(take, { bucket, now, resets_at: resetsAt })
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

const removeExpired = statement((q, p: { now: number }) =>
  q.deleteFrom('attempts').where('resets_at', '<=', p.now),
)

export async function deleteExpiredAttempts(db: Handle, now: number): Promise<void> {
  await db.run(removeExpired, { now })
}

const publicWorks = statement((q, p: { userId: string }) =>
  q.selectFrom('user_counts').select('content_count').where('user_id', '=', p.userId),
)

/** True for a person with a published work. */
export async function isCreator(db: Handle, userId: string): Promise<boolean> {
  return ((await db.first(publicWorks, { userId }))?.content_count ?? 0) > 0
}
