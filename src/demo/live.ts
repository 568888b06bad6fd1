import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../config.ts'
import { consoleActs } from './acts/console.ts'
import { userActs } from './acts/users.ts'
import { contentActs } from './acts/contents.ts'
import { Cast } from './cast.ts'
import type { WoundClock } from './clock.ts'
import { makeWorld, type Size } from './make.ts'
import { play } from './play.ts'
import { seeded } from './random.ts'
import { makeStock, type Stock, type Workshop } from './stock.ts'
import { DAY, HOUR, PAST } from './times.ts'
import type { World } from './world.ts'

const READING_SEED = 20_260_304
/**
 * Length in milliseconds of the final period. Its acts run sequentially, so that the latest notifications have
 * the right order.
 */
const LATE = 3 * HOUR

export interface Progress {
  step: string
  done: number
  total: number
}

export interface Life {
  stock: Stock
  world: World
  acts: number
  uploads: number
}

type Stage = { fetch: typeof fetch; clock: WoundClock; now: number } & Omit<Workshop, 'onFile'>

/**
 * Returns the settings of the demo's server. They turn off rate limits, the replica, metrics and Chromium, and open
 * registration with minimal proof of work. Sessions last until the end of the demo.
 */
export function settingsFor(config: Config): Config {
  const seconds = (PAST + DAY) / 1000
  return {
    ...config,
    rateLimits: 'off',
    fixedSettings: { ...config.fixedSettings, registration: 'open' },
    captchaCost: 1,
    captchaSecret: config.captchaSecret ?? randomBytes(32).toString('hex'),
    accessTokenTtl: seconds,
    refreshTokenTtl: seconds,
    databaseReplicaUrl: undefined,
    metricsPort: undefined,
    chromium: undefined,
    // Private addresses are allowed, because the demo receives its webhook events on a local address.
    webhookAllowPrivate: true,
  }
}

/** Sends ninety days of activity to the server's API, in order of time and as fast as possible. */
export async function live(
  size: Size,
  { fetch: fetching, clock, now, ...tools }: Stage,
  onProgress: (progress: Progress) => void,
): Promise<Life> {
  const onFile = (done: number, total: number) => onProgress({ step: 'making files', done, total })
  const stock = await makeStock({ ...tools, onFile }, size.contents)
  const world = makeWorld(size, stock, now)
  const cast = new Cast(fetching, clock)
  const listener = await openListener()
  try {
    const acts = [
      ...userActs(cast, seeded(READING_SEED), world),
      ...contentActs(cast, world),
      ...consoleActs(cast, world, listener.url),
    ]
      .sort((a, b) => a.time - b.time)
      .map((act) => (act.time > now - LATE ? { ...act, isLast: true } : act))
    const days = PAST / DAY
    await play(acts, clock, (done, { time }) => {
      const week = Math.max(1, Math.ceil((days - (now - time) / DAY) / 7))
      const step = `living week ${week} of ${Math.ceil(days / 7)}`
      onProgress({ step, done, total: acts.length })
    })
    await cast.leave()
    return { stock, world, acts: acts.length, uploads: cast.uploadCount }
  } finally {
    listener.close()
  }
}

async function openListener(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(204).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close().closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/plaza`, close }
}
