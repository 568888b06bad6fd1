/**
 * Brings the schema up to date: numbered migrations, forward only, each in a transaction of its
 * own with its number, so that one that was interrupted leaves nothing behind. One process
 * migrates at a time; the others wait and find nothing to do.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, DatabaseUnavailable, type Run } from './handle.ts'
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
import { totals } from './migrations/013-totals.ts'
import { tagHeat } from './migrations/014-tag-heat.ts'
import { coveredCounts } from './migrations/015-covered-counts.ts'
import { suspendedFollows } from './migrations/016-suspended-follows.ts'
import { sharedLegacyAccounts } from './migrations/017-shared-legacy-accounts.ts'
import { finerHeat } from './migrations/018-finer-heat.ts'
import { settling } from './migrations/019-settling.ts'
import { webhookClocks } from './migrations/020-webhook-clocks.ts'
import { guards } from './migrations/021-guards.ts'
import { renditionSizes } from './migrations/022-rendition-sizes.ts'
import { foldedSearch } from './migrations/023-folded-search.ts'
import { jobTurns } from './migrations/024-job-turns.ts'
import { storageUsage } from './migrations/025-storage-usage.ts'
import { unusedUploads } from './migrations/026-unused-uploads.ts'
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
  totals,
  tagHeat,
  coveredCounts,
  suspendedFollows,
  sharedLegacyAccounts,
  finerHeat,
  settling,
  webhookClocks,
  guards,
  renditionSizes,
  foldedSearch,
  jobTurns,
  storageUsage,
  unusedUploads,
]

/** The number that stands above all others while a restore fills the database. */
const UNFINISHED = 1_000_000
/** Any number: names the advisory lock among those of the database. */
const LOCK = 7_529_201
const LOCK_WAIT_MS = 60_000

/** The stored schema was made by a later version of Plaza, which must not be touched. */
export class NewerSchema extends Error {
  override name = 'NewerSchema'
}

/** The stored schema lacks what this version needs. */
export class OlderSchema extends Error {
  override name = 'OlderSchema'
}

/** What a restore or a copy began to write was never finished: it is no database to serve. */
export class UnfinishedRestore extends Error {
  override name = 'UnfinishedRestore'
}

/**
 * Applies what is missing, up to a number, and returns the names applied.
 * Throws NewerSchema when the database knows more migrations than this version, UnfinishedRestore
 * while a restore fills it.
 */
export async function migrate(
  db: Db,
  now: () => number,
  upTo: number = MIGRATIONS.length,
): Promise<string[]> {
  return db.script(async (run) => {
    const applied: string[] = []
    for (;;) {
      const done = await inMigration(db, run, () => migrateOnce(db, run, now(), upTo))
      if (!done) return applied
      applied.push(done)
    }
  })
}

/** Whether a database has a schema of any version. */
export async function hasSchema(db: Db): Promise<boolean> {
  const [row] = await db.script((run) =>
    run(
      db.engine === 'sqlite'
        ? "select 1 as found from sqlite_master where name = 'schema_migrations'"
        : "select 1 as found where to_regclass('schema_migrations') is not null",
    ),
  )
  return row !== undefined
}

/** Returns the number of the stored schema, or 0 without one. Throws UnfinishedRestore. */
export async function findSchema(db: Db): Promise<number> {
  const applied = (await hasSchema(db)) ? await db.script(listMigrations) : []
  return applied.at(-1)?.number ?? 0
}

/** Throws NewerSchema or UnfinishedRestore; changes nothing. */
export async function refuseNewerSchema(db: Db): Promise<void> {
  const number = await findSchema(db)
  if (number > SCHEMA) throw newer(number)
}

/** Throws OlderSchema, NewerSchema or UnfinishedRestore unless the schema is this version's; changes nothing. */
export async function requireSchema(db: Db): Promise<void> {
  await refuseNewerSchema(db)
  const number = await findSchema(db)
  if (number < SCHEMA) throw older(number)
}

/** The highest number that this version knows. */
export const SCHEMA: number = MIGRATIONS.length

/**
 * Makes the schema of a number in an empty database, without a row, and marks it as unfinished: until
 * `finishSchema` every version refuses it. To be run in `inMigration`.
 */
export async function beginSchema(db: Db, run: Run, number: number): Promise<void> {
  if (number > MIGRATIONS.length) throw newer(number)
  await run(migrationsTable(db))
  for (const { up } of MIGRATIONS.slice(0, number)) {
    for (const text of up(WORDS[db.engine])) await run(text)
  }
  await insertMigration(run, { number: UNFINISHED, name: 'unfinished', applied_at: 0 })
}

/** Ends what `beginSchema` began: these migrations are what was applied. */
export async function finishSchema(run: Run, applied: readonly AppliedMigration[]): Promise<void> {
  await run('delete from schema_migrations')
  for (const migration of applied) await insertMigration(run, migration)
}

/** What was applied to a database; nothing where it is none of Plaza's. Throws UnfinishedRestore. */
export async function listMigrations(run: Run): Promise<AppliedMigration[]> {
  const rows = await run('select number, name, applied_at from schema_migrations order by number')
  const applied = rows.map((row) => ({
    number: Number(row['number']),
    name: String(row['name']),
    applied_at: Number(row['applied_at']),
  }))
  if (applied.at(-1)?.number === UNFINISHED) throw unfinished()
  return applied
}

export interface AppliedMigration {
  number: number
  name: string
  /** Epoch milliseconds. */
  applied_at: number
}

/** Does all of `work` in a transaction in which nobody else migrates, or nothing of it. */
export async function inMigration<T>(db: Db, run: Run, work: () => Promise<T>): Promise<T> {
  await begin(db, run)
  try {
    const value = await work()
    await run('commit')
    return value
  } catch (error) {
    // A full disk has ended the transaction already: what says so is the first error.
    await run('rollback').catch(() => {})
    throw error
  }
}

async function begin(db: Db, run: Run): Promise<void> {
  if (db.engine === 'sqlite') return beginWhenFree(run)
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

async function migrateOnce(
  db: Db,
  run: Run,
  now: number,
  upTo: number,
): Promise<string | undefined> {
  await run(migrationsTable(db))
  const [row] = await run('select coalesce(max(number), 0) as number from schema_migrations')
  const current = Number(row?.number)
  if (current === UNFINISHED) throw unfinished()
  if (current > MIGRATIONS.length) throw newer(current)
  const next = current < upTo ? MIGRATIONS[current] : undefined
  if (!next) return undefined
  for (const text of next.up(WORDS[db.engine])) await run(text)
  await insertMigration(run, { number: current + 1, name: next.name, applied_at: now })
  return next.name
}

function migrationsTable({ engine }: Db): string {
  const words = WORDS[engine]
  return `create table if not exists schema_migrations (
    number ${words.int} primary key, name ${words.text} not null, applied_at ${words.int} not null
  ) ${words.plain}`
}

async function insertMigration(run: Run, migration: AppliedMigration): Promise<void> {
  const { number, name, applied_at: at } = migration
  // What a backup says of itself is a stranger's word.
  if (![number, at].every(Number.isSafeInteger))
    throw new TypeError('no migration has these numbers')
  await run(
    `insert into schema_migrations (number, name, applied_at) values (${number}, '${name.replaceAll("'", "''")}', ${at})`,
  )
}

function newer(number: number): NewerSchema {
  return new NewerSchema(
    `the database has schema ${number}, this version of Plaza knows ${MIGRATIONS.length}: start the version that made it, or a later one`,
  )
}

function older(number: number): OlderSchema {
  const found = number === 0 ? 'no schema' : `schema ${number}`
  return new OlderSchema(
    `the database has ${found}, this version of Plaza needs ${SCHEMA}: plaza migrate brings it up to date`,
  )
}

function unfinished(): UnfinishedRestore {
  return new UnfinishedRestore(
    'a restore or copy into this database did not come to its end: run the same command again, which goes on where it was',
  )
}
