/**
 * Attempts that take a while, counted before they begin and given back when they turn out well. One that
 * would be too many merely through others under way in this process waits for these to end; what other
 * processes have under way counts as failed until it ends.
 */
import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { findAttempts, isOpen } from './queries.ts'
import { giveBack, type Limit, spend } from './rules.ts'

/** What was counted and has not ended, by bucket. */
const underWay = new Map<string, Set<Promise<void>>>()
/** The last to count in a bucket: who counts after it sees as under way all that was counted before. */
const turns = new Map<string, Promise<unknown>>()

/**
 * Runs `work` as one attempt, which is counted unless `work` calls `wasGood`. No more are under way or
 * failed at any moment than the limits allow. Nothing may be locked meanwhile that another attempt
 * needs. Errors: 429 RATE_LIMITED when a limit is used up by attempts that failed.
 */
export async function attempt<T>(
  db: Handle,
  limits: readonly Limit[],
  now: number,
  work: (wasGood: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const bucket = limits[0]?.bucket ?? ''
  let end: (() => void) | undefined
  while (!end) {
    const begun = await inTurn(bucket, () => begin(db, limits, now))
    if ('end' in begun) end = begun.end
    else await Promise.race(begun.others)
  }
  try {
    return await work(() => giveBack(db, limits, now))
  } finally {
    end()
  }
}

async function inTurn<T>(bucket: string, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(bucket) ?? Promise.resolve()).then(work)
  const settled = turn.catch(() => {})
  turns.set(bucket, settled)
  try {
    return await turn
  } finally {
    if (turns.get(bucket) === settled) turns.delete(bucket)
  }
}

type Begun = { end: () => void } | { others: Promise<void>[] }

/** Counts the attempt, or tells which others to wait for. Errors: 429 RATE_LIMITED. */
async function begin(db: Handle, limits: readonly Limit[], now: number): Promise<Begun> {
  const before = new Map(limits.map(({ bucket }) => [bucket, [...(underWay.get(bucket) ?? [])]]))
  try {
    await spend(db, limits, now)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const others: Promise<void>[] = []
    for (const { bucket, max, windowMs } of limits) {
      const row = await findAttempts(db, bucket)
      if (!row || row.count < max || !isOpen(row.resets_at, now, windowMs)) continue
      // Those that ended since are waited for in vain, and then seen for what they were.
      const unsure = new Set([...(before.get(bucket) ?? []), ...(underWay.get(bucket) ?? [])])
      if (row.count - unsure.size >= max) throw error
      others.push(...unsure)
    }
    // None: what was in the way has ended well.
    return { others: others.length > 0 ? others : [Promise.resolve()] }
  }
  return { end: note(limits) }
}

/** Notes an attempt as under way; what is returned ends it. */
function note(limits: readonly Limit[]): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const { bucket } of limits) {
    const others = underWay.get(bucket) ?? new Set()
    underWay.set(bucket, others.add(promise))
  }
  return () => {
    for (const { bucket } of limits) {
      const others = underWay.get(bucket)
      others?.delete(promise)
      if (others?.size === 0) underWay.delete(bucket)
    }
    resolve()
  }
}
