/**
 * Limits each user's writes with token buckets. The buckets are in the database, so the limits apply across processes
 * and restarts. A bucket is stored as the time when it will be full. The transaction of a write takes the token, so a
 * failed write takes none.
 */
import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { findRow } from '../db/rows.ts'
import { rawQuery, statement } from '../db/statement.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'

/**
 * Token buckets of each user. `refillMs`: the time to regain one token. `burst`: the number of tokens in a full
 * bucket.
 * - `talk`: comments and their edits, posts, replies, messages and reports.
 * - `publish`: new contents.
 * - `edit`: edits of contents.
 * - `upload`: uploads.
 */
const RATES = {
  talk: { refillMs: 1000, burst: 120 },
  publish: { refillMs: 3000, burst: 40 },
  edit: { refillMs: 1000, burst: 120 },
  upload: { refillMs: 500, burst: 120 },
}
/**
 * Tolerance in milliseconds for clock differences between processes. A stored time that is later than the time of an
 * empty bucket plus this tolerance comes from a wrong clock. The bucket then counts as full.
 */
const SLACK_MS = 60_000

type Kind = keyof typeof RATES

type Take = { bucket: string } & Record<'now' | 'cost' | 'full_at' | 'end' | 'latest', number>

const take = statement((q, p: Take) =>
  rawQuery(
    q,
    sql`insert into attempts (bucket, count, resets_at) values (${p.bucket}, 1, ${p.full_at})
      on conflict (bucket) do update set resets_at = case
        when attempts.resets_at > ${p.now} and attempts.resets_at <= ${p.latest}
        then attempts.resets_at + ${p.cost} else ${p.full_at} end
      where attempts.resets_at + ${p.cost} <= ${p.end} or attempts.resets_at > ${p.latest}`,
  ),
)

/**
 * Takes a token in the transaction of the write, if the viewer has rate limits. Lock only the site or a conversation
 * before the call (ARCHITECTURE.md, lock order). Errors: 429 RATE_LIMITED when the bucket is empty.
 */
export async function spendRate(tx: Tx, viewer: Viewer, kind: Kind, now: number): Promise<void> {
  if (!viewer.isRateLimited) return
  const { refillMs: cost, burst } = RATES[kind]
  const bucket = bucketOf(viewer, kind)
  const end = now + burst * cost
  const params = { bucket, now, cost, full_at: now + cost, end, latest: end + SLACK_MS }
  if ((await tx.run(take, params)) === 0) await requireRate(tx, viewer, kind, now)
}

/** Checks the viewer's bucket without taking a token. Errors: 429 RATE_LIMITED when the bucket is empty. */
export async function requireRate(db: Handle, viewer: Viewer, kind: Kind, now: number) {
  if (!viewer.isRateLimited) return
  const { refillMs, burst } = RATES[kind]
  const row = await findRow(db, 'attempts', { bucket: bucketOf(viewer, kind) })
  const end = now + burst * refillMs
  const wait = (row?.resets_at ?? 0) + refillMs - end
  if (wait <= 0 || wait > refillMs + SLACK_MS) return
  throw new ApiError('RATE_LIMITED', { retryAfter: Math.ceil(wait / 1000) })
}

function bucketOf({ id }: Viewer, kind: Kind): string {
  return `rate:${kind}:${id}`
}
