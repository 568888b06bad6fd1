import { pino } from 'pino'
import { Passwords } from '../auth/passwords.ts'
import { systemClock } from '../clock.ts'
import { findFfmpeg } from '../conversion/ffmpeg.ts'
import { fill, type Progress, requireEmpty } from '../demo/fill.ts'
import { makeWorld } from '../demo/make.ts'
import { makeStock, type Stock } from '../demo/stock.ts'
import type { World } from '../demo/world.ts'
import { openStore } from '../storage/open.ts'
import { MediaFactsReader } from '../uploads/facts.ts'
import { readArgs, readCount } from './args.ts'
import { type Opened, withDatabase } from './database.ts'
import { secondsSince } from './progress.ts'

const PASSWORD = 'demo-password-1'
const BAR = 40

/** Fills an empty database with made-up people and all they do, and the store with what they show. */
export async function fillWithDemo(args: string[]): Promise<void> {
  const { values } = readArgs(args, {
    options: {
      people: { type: 'string', default: '2000' },
      works: { type: 'string', default: '6000' },
    },
  })
  const size = {
    people: Math.max(2, readCount('--people', values.people)),
    works: readCount('--works', values.works),
  }
  const started = performance.now()
  const onProgress = process.stdout.isTTY ? drawBar() : writeLines()
  const world = await withDatabase(async (opened) => {
    const { db } = opened
    await requireEmpty(db)
    const passwordHash = await new Passwords().hash(PASSWORD)
    const made = makeWorld(size, await storeAll(opened, size.works, onProgress), Date.now())
    await fill(db, made, passwordHash, onProgress)
    return made
  })
  console.log(`${countsOf(world)} in ${secondsSince(started)} s`)
  console.log(filesOf(world.stock))
  console.log(`Everybody's password is ${PASSWORD}`)
  console.log('  demo        a creator with followers, unread notifications and conversations')
  console.log('  demo_admin  an administrator')
}

/** Makes the files and puts them into the store. */
async function storeAll(
  { db, config }: Opened,
  works: number,
  onProgress: (progress: Progress) => void,
): Promise<Stock> {
  const { ffmpeg: command, searchPath } = config
  const ffmpeg = await findFfmpeg(command, { searchPath, log: pino({ level: 'silent' }) })
  const { store, staging } = await openStore(config)
  const place = { clock: systemClock, store, staging, mediaFacts: new MediaFactsReader() }
  try {
    const onFile = (done: number, total: number) =>
      onProgress({ step: 'making files', done, total })
    return await makeStock({ place, db, ffmpeg, onFile }, works)
  } finally {
    staging.close()
    await Promise.all([place.mediaFacts.close(), store.close()])
  }
}

function countsOf(world: World): string {
  const { people, works, likes, comments, posts, messages, notices, uploads, plays } = world
  const lists = { people, works, likes, comments, posts, messages, notifications: notices }
  return Object.entries({ ...lists, uploads, plays })
    .map(([name, list]) => `${list.length.toLocaleString('en')} ${name}`)
    .join(', ')
}

function filesOf({ pictures, faces, tunes, videos, games }: Stock): string {
  const kinds = games.map(({ stored }) => stored.bundle?.runtime).join(', ')
  const moving =
    videos.length > 0 ? `${videos.length} videos` : 'no videos, since there is no ffmpeg'
  return `They show ${pictures.length} pictures, ${faces.length} portraits, ${tunes.length} pieces of music, ${moving} and ${games.length} games (${kinds})`
}

/** One line that is drawn over again. */
function drawBar(): (progress: Progress) => void {
  return ({ step, done, total }) => {
    const full = Math.floor((done / total) * BAR)
    const bar = '#'.repeat(full).padEnd(BAR, '.')
    const end = done === total ? '\n' : ''
    process.stdout.write(`\r[${bar}] ${done.toLocaleString('en')}, ${step.padEnd(30)}${end}`)
  }
}

/** A line for each step that is begun. */
function writeLines(): (progress: Progress) => void {
  let current = ''
  return ({ step }) => {
    if (step === current) return
    current = step
    console.log(step)
  }
}
