import { pino } from 'pino'
import { FORGETTING } from '../chores.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { hasSchema, migrate, refuseNewerSchema } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { PASSWORD } from '../demo/cast.ts'
import { WoundClock } from '../demo/clock.ts'
import { type Life, live, type Progress, settingsFor } from '../demo/live.ts'
import type { Size } from '../demo/make.ts'
import { adminOf } from '../demo/people.ts'
import { PAST } from '../demo/times.ts'
import { startInside } from '../server.ts'
import type { Staging } from '../storage/staging.ts'
import { isEmpty } from '../users/accounts.ts'
import { readArgs, readCount } from './args.ts'
import { readSettings } from './database.ts'
import { secondsSince } from './progress.ts'
import { openAccount } from './user.ts'

const BAR = 40
const DRAW_MS = 100

/** Lets made-up people fill an empty database, and the store, through the API. */
export async function fillWithDemo(args: string[]): Promise<void> {
  const { values } = readArgs(args, {
    options: {
      people: { type: 'string', default: '300' },
      works: { type: 'string', default: '1100' },
    },
  })
  const size = {
    people: Math.max(2, readCount('--people', values.people)),
    works: readCount('--works', values.works),
  }
  const started = performance.now()
  const config = settingsFor(readSettings())
  const life = await tellingOfSignals((begun) => liveInside(config, size, begun))
  console.log(`${countsOf(life)} in ${secondsSince(started)} s`)
  console.log(filesOf(life))
  console.log(`Everybody's password is ${PASSWORD}`)
  console.log('  demo        a creator with followers, unread notifications and conversations')
  console.log('  demo_admin  an administrator')
}

/**
 * Makes the schema, now and not ninety days ago: by its age the sweep of files tells what is another
 * database's. Throws where there are accounts, and leaves everything there as it is.
 */
async function prepare(config: Config): Promise<void> {
  const db = openDatabase(config)
  try {
    await refuseNewerSchema(db)
    if ((await hasSchema(db)) && !(await isEmpty(db))) {
      throw new Error('there are accounts in this database already: demo fills an empty one only')
    }
    await migrate(db, () => systemClock.now())
  } finally {
    await db.close()
  }
}

/** Lets it happen on a server of its own, which nobody else reaches. */
async function liveInside(config: Config, size: Size, begun: Begun): Promise<Life> {
  await prepare(config)
  const now = systemClock.now()
  const clock = new WoundClock(now - PAST)
  const log = pino({ level: 'error' })
  const server = await startInside(config, { log, clock })
  try {
    const { db, staging, ffmpeg } = server.deps
    return await orSayWhatStays(async () => {
      begun.staging = staging
      await openAccount(db, { ...adminOf(now), password: PASSWORD }, 'admin', clock.now())
      const onProgress = process.stdout.isTTY ? drawBar() : writeLines()
      const life = await live(
        size,
        { fetch: server.fetch, clock, now, staging, ffmpeg },
        onProgress,
      )
      for (const forget of FORGETTING) await forget(db, now)
      return life
    })
  } finally {
    await server.close()
  }
}

/** Where files are made, once anything is. */
interface Begun {
  staging?: Staging
}

const STAYS = 'what was made so far stays: another go needs a fresh database'

/** Tells whoever ends it what that leaves behind, without what was on its way into the store. */
async function tellingOfSignals<T>(work: (begun: Begun) => Promise<T>): Promise<T> {
  const begun: Begun = {}
  const onSignal = () => {
    console.error(`\nplaza: interrupted; ${begun.staging ? STAYS : 'nothing was made yet'}`)
    begun.staging?.abandon()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  try {
    return await work(begun)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
  }
}

/** Tells whoever sees it fail what that leaves behind. */
async function orSayWhatStays<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new Error(`${(error as Error).message}; ${STAYS}`, { cause: error })
  }
}

function countsOf({ world, uploads, acts }: Life): string {
  const { people, works, likes, comments, posts, messages, follows, plays } = world
  const lists = { people, works, likes, comments, posts, messages, follows, plays }
  return Object.entries({ ...lists, uploads: { length: uploads }, 'acts in all': { length: acts } })
    .map(([name, { length }]) => `${length.toLocaleString('en')} ${name}`)
    .join(', ')
}

function filesOf({ stock: { pictures, faces, tunes, videos, games } }: Life): string {
  const moving =
    videos.length > 0 ? `${videos.length} videos` : 'no videos, since there is no ffmpeg'
  const kinds = games.map(({ game }) => game.runtime).join(', ')
  return `They show ${pictures.length} pictures, ${faces.length} portraits, ${tunes.length} pieces of music, ${moving} and ${games.length} games (${kinds})`
}

/** One line that is drawn over again. */
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

/** A line for each step that is begun. */
function writeLines(): (progress: Progress) => void {
  const begun = new Set<string>()
  return ({ step }) => {
    if (begun.has(step)) return
    begun.add(step)
    console.log(step)
  }
}
