/**
 * Numbered, forward-only migrations. One transaction commits a migration and its number, so an interrupted migration
 * changes nothing. One process migrates at a time; the others wait.
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
import { counts } from './migrations/027-counts.ts'
import { likers } from './migrations/028-likers.ts'
import { permissions } from './migrations/029-permissions.ts'
import { site } from './migrations/030-site.ts'
import { blocks } from './migrations/031-blocks.ts'
import { mail } from './migrations/032-mail.ts'
import { erasure } from './migrations/033-erasure.ts'
import { moderation } from './migrations/034-moderation.ts'
import { factors } from './migrations/035-factors.ts'
import { registration } from './migrations/036-registration.ts'
import { blockedFiles } from './migrations/037-blocked-files.ts'
import { factorTimes } from './migrations/038-factor-times.ts'
import { freshFilters } from './migrations/039-fresh-filters.ts'
import { fileCounts } from './migrations/047-file-counts.ts'
import { storedCounts } from './migrations/045-stored-counts.ts'
import { commentTools } from './migrations/041-comment-tools.ts'
import { visibility } from './migrations/040-visibility.ts'
import { pictureSizes } from './migrations/046-picture-sizes.ts'
import { search } from './migrations/043-search.ts'
import { dailyNumbers } from './migrations/042-daily-numbers.ts'
import { tags } from './migrations/044-tags.ts'
import { creatorLists } from './migrations/051-creator-lists.ts'
import { searchBatches } from './migrations/052-search-batches.ts'
import { filteredCounts } from './migrations/050-filtered-counts.ts'
import { contentSizes } from './migrations/048-content-sizes.ts'
import { type Migration, WORDS } from './migrations/words.ts'

/** A migration's number is its position, starting at 1. Only append to this list; never edit a migration. */
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
  counts,
  likers,
  permissions,
  site,
  blocks,
  mail,
  erasure,
  moderation,
  factors,
  registration,
  blockedFiles,
  factorTimes,
  freshFilters,
  fileCounts,
  storedCounts,
  commentTools,
  visibility,
  pictureSizes,
  search,
  dailyNumbers,
  tags,
  creatorLists,
  filteredCounts,
  contentSizes,
  searchBatches,
]

/** Schema number during a restore. It is greater than any migration number. */
const UNFINISHED = 1_000_000
const LOCK = 7_529_201
const LOCK_WAIT_MS = 60_000

export class NewerSchema extends Error {
  override name = 'NewerSchema'
}

export class OlderSchema extends Error {
  override name = 'OlderSchema'
}

export class UnfinishedRestore extends Error {
  override name = 'UnfinishedRestore'
}

/**
 * Applies the missing migrations up to number `upTo`. Returns their names. Errors: NewerSchema,
 * UnfinishedRestore.
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

/** Returns the schema number of the database, 0 without a schema. Errors: UnfinishedRestore. */
export async function findSchema(db: Db): Promise<number> {
  const applied = (await hasSchema(db)) ? await db.script(listMigrations) : []
  return applied.at(-1)?.number ?? 0
}

/** Checks that the database's schema is not newer than this version's. Errors: NewerSchema, UnfinishedRestore. */
export async function refuseNewerSchema(db: Db): Promise<void> {
  const number = await findSchema(db)
  if (number > SCHEMA) throw newer(number)
}

/** Requires exactly this version's schema. Errors: OlderSchema, NewerSchema, UnfinishedRestore. */
export async function requireSchema(db: Db): Promise<void> {
  await refuseNewerSchema(db)
  const number = await findSchema(db)
  if (number < SCHEMA) throw older(number)
}

/** Schema number of this version. */
export const SCHEMA: number = MIGRATIONS.length

/**
 * Creates the schema with this number in an empty database, without the triggers that `finishSchema` creates. Servers
 * reject the database until `finishSchema` has run. Must run inside `inMigration`. Errors: NewerSchema.
 */
export async function beginSchema(db: Db, run: Run, number: number): Promise<void> {
  if (number > MIGRATIONS.length) throw newer(number)
  await run(migrationsTable(db))
  for (const { up } of MIGRATIONS.slice(0, number)) {
    for (const text of up(WORDS[db.engine])) await run(text)
  }
  await insertMigration(run, { number: UNFINISHED, name: 'unfinished', applied_at: 0 })
}

/**
 * Creates the triggers, and replaces the entry that marks the schema as unfinished (see `beginSchema`) with the
 * applied migrations.
 */
export async function finishSchema(
  db: Db,
  run: Run,
  applied: readonly AppliedMigration[],
): Promise<void> {
  for (const { triggers } of MIGRATIONS.slice(0, applied.length)) {
    for (const text of triggers?.(WORDS[db.engine]) ?? []) await run(text)
  }
  await run('delete from schema_migrations')
  for (const migration of applied) await insertMigration(run, migration)
}

/** Returns the applied migrations in order. Errors: UnfinishedRestore. */
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
  applied_at: number
}

/** Runs `action` in one transaction while holding the migration lock. */
export async function inMigration<T>(db: Db, run: Run, action: () => Promise<T>): Promise<T> {
  await begin(db, run)
  try {
    const value = await action()
    await run('commit')
    return value
  } catch (error) {
    // Ignores an error of the rollback: on a full disk SQLite has already ended the transaction.
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

/** Begins a write transaction. Retries for up to a minute while another process migrates or writes. */
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
  const words = WORDS[db.engine]
  for (const text of [...next.up(words), ...(next.triggers?.(words) ?? [])]) await run(text)
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
  const { number, name, applied_at: appliedAt } = migration
  // Accepts only integers, because the values may come from an untrusted backup and become part of the SQL text.
  if (![number, appliedAt].every(Number.isSafeInteger))
    throw new TypeError('a migration has invalid numbers')
  await run(
    `insert into schema_migrations (number, name, applied_at) values (${number}, '${name.replaceAll("'", "''")}', ${appliedAt})`,
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
    'a restore or copy into this database is unfinished: run the same command again to resume it',
  )
}
