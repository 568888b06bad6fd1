import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { listTables, type Table } from '../src/backup/catalog.ts'
import { type Digest, digestTable } from '../src/backup/rows.ts'
import { withSnapshot } from '../src/db/snapshot.ts'
import { systemClock } from '../src/clock.ts'
import { readConfig } from '../src/config.ts'
import { hotScore } from '../src/contents/rank.ts'
import type { Db } from '../src/db/handle.ts'
import { type AppliedMigration, listMigrations, migrate, SCHEMA } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import { statement } from '../src/db/statement.ts'
import { examineDatabase } from '../src/doctor/examine.ts'
import { startServer } from '../src/server.ts'
import { anyone } from './actors.ts'
import { newPlaceWithoutFolder, type Place, settingsOf, testSecrets } from './app.ts'
import { copyAtSchema, deleteErasedOwner } from './earlier.ts'
import { fillEverything } from './filled.ts'
import { dataOf } from './make.ts'

const today = await newPlaceWithoutFolder(() => full.close())
await fillEverything(today)
const full = openDatabase(today)

/** First released schema version. Earlier versions were used only in development. */
const FIRST = 6

const REWRITTEN: ReadonlySet<string> = new Set(['content_tags.heat'])

const rescore = statement((q) =>
  q.updateTable('content_stats').set((e) => ({
    hot_score: hotScore({
      published_at: e.ref('published_at'),
      like_count: e.ref('like_count'),
      bookmark_count: e.ref('bookmark_count'),
      comment_count: e.ref('comment_count'),
      play_count: e.ref('play_count'),
    }),
  })),
)

/**
 * Creates a database with schema version `number` and the rows that a server of that version would have
 * stored.
 */
async function fillAt(place: Place, number: number): Promise<Db> {
  const db = openDatabase(place)
  const { tables } = await copyAtSchema(full, db, number)
  // Play counts did not exist before the `plays` table.
  if (tables.has('content_stats') && !tables.has('plays')) {
    await db.script(async (run) => {
      await run('update content_stats set play_count = 0')
    })
    await db.run(rescore, {})
  }
  return db
}

async function digestAll(db: Db, tables: readonly Table[]): Promise<Record<string, Digest>> {
  return withSnapshot(db, async (run) => {
    const digests: Record<string, Digest> = {}
    for (const table of tables) {
      const isUnchanged = ({ name }: { name: string }) => !REWRITTEN.has(`${table.name}.${name}`)
      const columns = table.columns.filter(isUnchanged)
      digests[table.name] = await digestTable(run, { ...table, columns })
    }
    return digests
  })
}

function readApplied(db: Db): Promise<AppliedMigration[]> {
  return withSnapshot(db, listMigrations)
}

// Tests several schemas concurrently, because each test waits for a server to close, which is slow.
describe('migrates every earlier schema', { concurrency: 4 }, () => {
  for (let number = 1; number < SCHEMA; number++) {
    const promise = number < FIRST ? 'all rows' : 'all rows and correct counts, and can be served'
    test(`keeps ${promise} when migrated from schema ${number}`, async () => {
      const place = await newPlaceWithoutFolder()
      const db = await fillAt(place, number)
      try {
        const before = await readApplied(db)
        const tables = await withSnapshot(db, (run) => listTables(db.engine, run))
        const rows = await digestAll(db, tables)
        assert.ok(Object.values(rows).every((digest) => digest.rows > 0))

        assert.equal((await migrate(db, Date.now, number + 1)).length, 1)
        assert.equal((await migrate(db, Date.now)).length, SCHEMA - number - 1)

        if (!rows['erasures']) await deleteErasedOwner(db)
        const applied = await readApplied(db)
        assert.deepEqual([applied.length, applied.slice(0, number)], [SCHEMA, before])
        assert.deepEqual(await digestAll(db, tables), rows)
        const { counts, damage } = await examineDatabase(db)
        assert.deepEqual(damage, [])
        if (number < FIRST) return
        assert.deepEqual(
          counts.filter(({ drift }) => drift > 0),
          [],
        )
      } finally {
        await db.close()
      }
      await serve(place)
    })
  }
})

async function serve(place: Place): Promise<void> {
  const settings = {
    ...testSecrets(),
    ...settingsOf(place),
    PORT: '0',
    FFMPEG: 'off',
    CHROMIUM: 'off',
  }
  const server = await startServer(readConfig(settings), {
    log: pino({ level: 'silent' }),
    clock: systemClock,
  })
  try {
    const login = { identifier: 'demo', password: 'demo-password-1' }
    const { user, tokens } = dataOf(await anyone(server.url).post('/auth/login', login))
    assert.equal(user.handle, 'demo')
    const demo = anyone(server.url, { authorization: `Bearer ${tokens.access_token}` })
    assert.ok(dataOf(await demo.get('/feeds')).feeds.length > 0)
    assert.ok(dataOf(await demo.get('/notifications')).unread_count > 0)
  } finally {
    await server.close()
  }
}
