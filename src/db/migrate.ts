/**
 * Brings the schema up to date: numbered migrations, forward only, each in a transaction of its
 * own with its number, so that one that was interrupted leaves nothing behind. One process
 * migrates at a time; the others wait and find nothing to do.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, DatabaseUnavailable, type ScriptRow } from './handle.ts'
import { accounts } from './migrations/001-accounts.ts'
import { contents } from './migrations/002-contents.ts'
import { social } from './migrations/003-social.ts'
import { notifications } from './migrations/004-notifications.ts'
import { dm } from './migrations/005-dm.ts'
import { posts } from './migrations/006-posts.ts'
import { keys } from './migrations/007-keys.ts'
import { media } from './migrations/008-media.ts'
import { games } from './migrations/009-games.ts'
import { webhooks } from './migrations/010-webhooks.ts'
import { conversions } from './migrations/011-conversions.ts'
import { thumbnails } from './migrations/012-thumbnails.ts'
import { type Migration, WORDS } from './migrations/words.ts'

/** In order; a migration's number is its place, starting at 1. Never reordered, never edited. */
const MIGRATIONS: readonly Migration[] = [
  accounts,
  contents,
  social,
  notifications,
  dm,
  posts,
  keys,
  media,
  games,
  webhooks,
  conversions,
  thumbnails,
]

/** Any number: names the advisory lock among those of the database. */
const LOCK = 7_529_201
const LOCK_WAIT_MS = 60_000

/** The stored schema was made by a later version of Plaza, which must not be touched. */
export class NewerSchema extends Error {
  override name = 'NewerSchema'
}

/**
 * Applies what is missing and returns the names applied.
 * Throws NewerSchema when the database knows more migrations than this version.
 */
export async function migrate(db: Db, now: () => number): Promise<string[]> {
  const applied: string[] = []
  await db.script(async (run) => {
    for (;;) {
      await begin(db, run)
      try {
        const done = await migrateOnce(db, run, now())
        await run('commit')
        if (!done) return
        applied.push(done)
      } catch (error) {
        await run('rollback')
        throw error
      }
    }
  })
  return applied
}

type Run = (text: string) => Promise<ScriptRow[]>

async function begin(db: Db, run: Run): Promise<void> {
  if (db.engine === 'sqlite') {
    return beginWhenFree(run)
  }
  await run('begin')
  await run('set local statement_timeout = 0')
  await run(`select pg_advisory_xact_lock(${LOCK})`)
}

/** Waits while another process migrates or writes. */
async function beginWhenFree(run: Run): Promise<void> {
  const deadline = Date.now() + LOCK_WAIT_MS
  for (;;) {
    try {
      await run('begin immediate')
      return
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || Date.now() > deadline) throw error
      await sleep(10 + Math.random() * 40)
    }
  }
}

async function migrateOnce(db: Db, run: Run, now: number): Promise<string | undefined> {
  const words = WORDS[db.engine]
  await run(
    `create table if not exists schema_migrations (
      number ${words.int} primary key, name ${words.text} not null, applied_at ${words.int} not null
    ) ${words.plain}`,
  )
  const [row] = await run('select coalesce(max(number), 0) as number from schema_migrations')
  const current = Number(row?.number)
  if (current > MIGRATIONS.length) {
    throw new NewerSchema(
      `the database has schema ${current}, this version of Plaza knows ${MIGRATIONS.length}: start the version that made it, or a later one`,
    )
  }
  const next = MIGRATIONS[current]
  if (!next) return undefined
  for (const text of next.up(words)) await run(text)
  await run(
    `insert into schema_migrations (number, name, applied_at) values (${current + 1}, '${next.name}', ${now})`,
  )
  return next.name
}
