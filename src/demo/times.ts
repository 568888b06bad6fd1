import type { Random } from './random.ts'
import type { Person } from './world.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** How far back everything goes. */
export const PAST = 90 * DAY

/** Korea, where most people are awake. */
const OFFSET = 9 * HOUR
/** How much happens in each hour of the day. */
const RHYTHM = [5, 3, 2, 1, 1, 1, 2, 4, 6, 6, 6, 7, 9, 8, 7, 7, 7, 8, 9, 11, 13, 14, 13, 9]
const HOURS = RHYTHM.flatMap((weight, hour) => Array.from({ length: weight }, () => hour))

/** A moment of the last 90 days: more of them lately, and in the evening. */
export function recentMoment(random: Random, now: number): number {
  const rough = now - (PAST - DAY) * random.next() ** 1.8
  const midnight = Math.floor((rough + OFFSET) / DAY) * DAY - OFFSET
  const moment = midnight + random.pick(HOURS) * HOUR + random.integer(0, HOUR - 1)
  return moment < now ? moment : moment - DAY
}

/** A moment at which a person can act on what is there between two times: soon, mostly. */
export function momentOf(
  random: Random,
  person: Person,
  from: number,
  until: number,
): number | undefined {
  const start = Math.max(from, person.at) + 1000
  const end = Math.min(until, person.until)
  return start < end ? Math.floor(start + (end - start) * random.next() ** 3) : undefined
}
