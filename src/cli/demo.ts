import { Passwords } from '../auth/passwords.ts'
import { fill, type Progress, requireEmpty } from '../demo/fill.ts'
import { makeWorld } from '../demo/make.ts'
import type { World } from '../demo/world.ts'
import { readArgs, readCount } from './args.ts'
import { withDatabase } from './database.ts'

const PASSWORD = 'demo-password-1'
const BAR = 40

/** Fills an empty database with made-up people and all they do. */
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
  const world = await withDatabase(async ({ db }) => {
    await requireEmpty(db)
    const passwordHash = await new Passwords().hash(PASSWORD)
    const made = makeWorld(size, Date.now())
    await fill(db, made, passwordHash, process.stdout.isTTY ? drawBar() : writeLines())
    return made
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${countsOf(world)} in ${seconds} s`)
  console.log(`Everybody's password is ${PASSWORD}`)
  console.log('  demo        a creator with followers, unread notifications and conversations')
  console.log('  demo_admin  an administrator')
}

function countsOf(world: World): string {
  const { people, works, likes, comments, posts, messages, notices } = world
  const lists = { people, works, likes, comments, posts, messages, notifications: notices }
  return Object.entries(lists)
    .map(([name, list]) => `${list.length.toLocaleString('en')} ${name}`)
    .join(', ')
}

/** One line that is drawn over again. */
function drawBar(): (progress: Progress) => void {
  return ({ table, done, total }) => {
    const full = Math.floor((done / total) * BAR)
    const bar = '#'.repeat(full).padEnd(BAR, '.')
    const end = done === total ? '\n' : ''
    process.stdout.write(`\r[${bar}] ${done.toLocaleString('en')} rows, ${table.padEnd(20)}${end}`)
  }
}

/** A line for each table that is begun. */
function writeLines(): (progress: Progress) => void {
  let current = ''
  return ({ table }) => {
    if (table === current) return
    current = table
    console.log(`writing ${table}`)
  }
}
