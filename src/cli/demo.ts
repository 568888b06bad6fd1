import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { hasSchema, migrate, refuseNewerSchema } from '../db/migrate.ts'
import type { Db } from '../db/handle.ts'
import { openDatabase } from '../db/open.ts'
import { hasRow } from '../db/rows.ts'
import { PASSWORD } from '../demo/cast.ts'
import { WoundClock } from '../demo/clock.ts'
import { type Life, live, type Progress, settingsFor } from '../demo/live.ts'
import type { Size } from '../demo/make.ts'
import { PAST } from '../demo/times.ts'
import { adminOf } from '../demo/users.ts'
import { RETENTION } from '../retention.ts'
import { startInside } from '../server.ts'
import type { Staging } from '../storage/staging.ts'
import { isEmpty } from '../users/accounts.ts'
import { readArgs, readCount } from './args.ts'
import { readSettings } from './database.ts'
import { secondsSince } from './progress.ts'
import { openAccount } from './user.ts'

const BAR = 40
const DRAW_MS = 100

export async function fillWithDemo(args: string[]): Promise<void> {
  const { values } = readArgs(args, {
    options: {
      people: { type: 'string', default: '300' },
      works: { type: 'string', default: '1100' },
    },
  })
  const size = {
    users: Math.max(2, readCount('--people', values.people)),
    contents: readCount('--works', values.works),
  }
  const started = performance.now()
  const config = settingsFor(readSettings())
  const life = await withSignalHandling((begun) => liveInside(config, size, begun))
  console.log(`${countsOf(life)} in ${secondsSince(started)} s`)
  console.log(filesOf(life))
  console.log(`The password of every account is ${PASSWORD}`)
  console.log('  demo        a creator with followers, unread notifications and conversations')
  console.log('  demo_admin  an administrator')
}

/**
 * Creates the schema with the real time instead of the demo's, which starts ninety days earlier. The file sweep keeps
 * files older than the schema, because they may belong to another database.
 * Errors: an Error when accounts exist.
 */
async function prepare(config: Config): Promise<void> {
  const db = openDatabase(config)
  try {
    await refuseNewerSchema(db)
    if ((await hasSchema(db)) && !(await isEmpty(db))) {
      throw new Error('there are accounts in this database already: demo needs an empty database')
    }
    await migrate(db, () => systemClock.now())
  } finally {
    await db.close()
  }
}

async function liveInside(config: Config, size: Size, begun: Begun): Promise<Life> {
  await prepare(config)
  const now = systemClock.now()
  const clock = new WoundClock(now - PAST)
  const log = pino({ level: 'error' })
  // The email addresses of the demo's users do not exist, so they cannot be verified.
  const silent = { ...config, smtpUrl: undefined, emailVerification: 'off' as const }
  const server = await startInside(silent, { log, clock })
  try {
    const { db, staging, ffmpeg } = server.deps
    return await orSayWhatStays(async () => {
      begun.staging = staging
      await openAccount(db, config, { ...adminOf(now), password: PASSWORD }, 'admin', clock.now())
      const onProgress = process.stdout.isTTY ? drawBar() : writeLines()
      const life = await live(
        size,
        { fetch: server.fetch, clock, now, staging, ffmpeg },
        onProgress,
      )
      for (const forget of RETENTION) await forget(db, now)
      await waitForSizes(db)
      return life
    })
  } finally {
    await server.close()
  }
}

const SIZES_MS = 60_000

/** Waits at most a minute for the small versions of pictures. The server makes missing versions later. */
async function waitForSizes(db: Db): Promise<void> {
  const end = performance.now() + SIZES_MS
  while ((await hasRow(db, 'jobs', { kind: 'sizes' })) && performance.now() < end) await sleep(100)
}

interface Begun {
  /** Set once the demo has started to create data. */
  staging?: Staging
}

const STAYS = 'the data created so far stays: use an empty database for the next attempt'

/**
 * Runs `action`. On SIGINT and SIGTERM, deletes unfinished files, prints whether created data remains, and
 * exits.
 */
async function withSignalHandling<T>(action: (begun: Begun) => Promise<T>): Promise<T> {
  const begun: Begun = {}
  const onSignal = () => {
    console.error(`\nplaza: interrupted; ${begun.staging ? STAYS : 'nothing was created yet'}`)
    begun.staging?.abandon()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  try {
    return await action(begun)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
  }
}

async function orSayWhatStays<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw new Error(`${(error as Error).message}; ${STAYS}`, { cause: error })
  }
}

function countsOf({ world, uploads, acts }: Life): string {
  const { users, contents: works, likes, comments, posts, follows, plays } = world
  const messages = world.conversations.flatMap((conversation) => conversation.messages)
  const lists = { people: users, works, likes, comments, posts, messages, follows, plays }
  return Object.entries({
    ...lists,
    uploads: { length: uploads },
    'actions in total': { length: acts },
  })
    .map(([name, { length }]) => `${length.toLocaleString('en')} ${name}`)
    .join(', ')
}

function filesOf({ stock: { pictures, faces, tunes, videos, games } }: Life): string {
  const moving = videos.length > 0 ? `${videos.length} videos` : 'no videos (ffmpeg was not found)'
  const kinds = games.map(({ game }) => game.runtime).join(', ')
  return `The contents use ${pictures.length} pictures, ${faces.length} portraits, ${tunes.length} pieces of music, ${moving} and ${games.length} games (${kinds})`
}

function drawBar(): (progress: Progress) => void {
  let drawnAt = 0
  return ({ step, done, total }) => {
    const isWhole = done === total
    if (!isWhole && performance.now() - drawnAt < DRAW_MS) return
    drawnAt = performance.now()
    const full = Math.floor((done / total) * BAR)
    const bar = '#'.repeat(full).padEnd(BAR, '.')
    const counts = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`
    process.stdout.write(`\r\x1b[K[${bar}] ${counts}, ${step}${isWhole ? '\n' : ''}`)
  }
}

function writeLines(): (progress: Progress) => void {
  const begun = new Set<string>()
  return ({ step }) => {
    if (begun.has(step)) return
    begun.add(step)
    console.log(step)
  }
}
