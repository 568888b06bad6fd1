import type { Random } from './random.ts'
import type { User } from './world.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const PAST = 90 * DAY

/** UTC offset of Korea, where most demo users live. */
const OFFSET = 9 * HOUR
/** Relative activity by hour of the day, Korean time. */
const RHYTHM = [5, 3, 2, 1, 1, 1, 2, 4, 6, 6, 6, 7, 9, 8, 7, 7, 7, 8, 9, 11, 13, 14, 13, 9]
const HOURS = RHYTHM.flatMap((weight, hour) => Array.from({ length: weight }, () => hour))

/**
 * Returns a random time at which a user is active. Recent days and evenings are more likely. Returns undefined
 * if the user is never active.
 */
export function recentMoment(random: Random, user: User, now: number): number | undefined {
  const rough = now - (PAST - DAY) * random.next() ** 1.8
  const midnight = Math.floor((rough + OFFSET) / DAY) * DAY - OFFSET
  const evening = midnight + random.pick(HOURS) * HOUR + random.integer(0, HOUR - 1)
  const moment = evening < now ? evening : evening - DAY
  if (moment > user.created_at && moment < user.until) return moment
  return momentOf(random, user, user.created_at, user.until)
}

/**
 * Returns a random time between `from` and `until` at which a user is active, or undefined when there is none. Times
 * near `from` are more likely.
 */
export function momentOf(
  random: Random,
  user: User,
  from: number,
  until: number,
): number | undefined {
  const start = Math.max(from, user.created_at) + 1000
  const end = Math.min(until, user.until)
  return start < end ? Math.floor(start + (end - start) * random.next() ** 3) : undefined
}
