/** A community lives through the server's API: ninety days in the order of time, as fast as it goes. */
import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { consoleActs } from './acts/console.ts'
import { peopleActs } from './acts/people.ts'
import { talkActs } from './acts/talk.ts'
import { workActs } from './acts/works.ts'
import { Cast } from './cast.ts'
import type { WoundClock } from './clock.ts'
import { openListener } from './listener.ts'
import { makeWorld, type Size } from './make.ts'
import { play } from './play.ts'
import { seeded } from './random.ts'
import { makeStock, type Stock, type Workshop } from './stock.ts'
import { DAY, HOUR, PAST } from './times.ts'
import type { World } from './world.ts'

/** Of when people read what they are told. */
const READING_SEED = 20_260_304
/** What happens so late happens one by one: who is told of it sees it first, at its own time. */
const LATE = 3 * HOUR

export interface Progress {
  /** What happens now. */
  step: string
  done: number
  total: number
}

/** What happened. */
export interface Life {
  stock: Stock
  world: World
  acts: number
  uploads: number
}

/**
 * The operator's settings, but for what keeps people waiting: nobody is in the way of anybody here, so
 * there are no quotas and next to no proof of work, and sessions last until the end of the play.
 */
export function settingsFor(config: Config): Config {
  const seconds = (PAST + DAY) / 1000
  return {
    ...config,
    rateLimits: 'off',
    captchaCost: 1,
    captchaSecret: config.captchaSecret ?? randomBytes(32).toString('hex'),
    accessTokenTtl: seconds,
    refreshTokenTtl: seconds,
    databaseReplicaUrl: undefined,
    metricsPort: undefined,
    chromium: undefined,
    // Its own listener receives the events.
    webhookAllowPrivate: true,
  }
}

/** Makes the files, and lets everything happen by calls through `fetching`, until `now`. */
export async function live(
  size: Size,
  {
    fetch: fetching,
    clock,
    now,
    ...tools
  }: {
    fetch: typeof fetch
    clock: WoundClock
    now: number
  } & Omit<Workshop, 'onFile'>,
  onProgress: (progress: Progress) => void,
): Promise<Life> {
  const onFile = (done: number, total: number) => onProgress({ step: 'making files', done, total })
  const stock = await makeStock({ ...tools, onFile }, size.works)
  const world = makeWorld(size, stock, now)
  const cast = new Cast(fetching, clock)
  const listener = await openListener()
  try {
    const acts = [
      ...peopleActs(cast, seeded(READING_SEED), world),
      ...workActs(cast, world),
      ...talkActs(cast, world),
      ...consoleActs(cast, world, listener.url),
    ]
      .sort((a, b) => a.at - b.at)
      .map((act) => (act.at > now - LATE ? { ...act, isLast: true } : act))
    const days = PAST / DAY
    await play(acts, clock, (done, { at }) => {
      const week = Math.max(1, Math.ceil((days - (now - at) / DAY) / 7))
      onProgress({
        step: `living week ${week} of ${Math.ceil(days / 7)}`,
        done,
        total: acts.length,
      })
    })
    await cast.leave()
    return { stock, world, acts: acts.length, uploads: cast.uploadCount }
  } finally {
    listener.close()
  }
}
