import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { dropDatabase, ENGINE, newDatabase } from '../../test/app.ts'
import { plazaOn } from '../../test/command.ts'
import { fillEverything } from '../../test/filled.ts'
import type { Db } from '../db/handle.ts'
import { DatabaseUnavailable } from '../db/handle.ts'
import { migrate, UnfinishedRestore } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { examineDatabase } from '../doctor/examine.ts'
import { isEmpty } from './catalog.ts'
import { copyDatabase } from './copy.ts'
import { Different, type Earlier, NotEmpty } from './load.ts'
import { withSnapshot } from '../db/snapshot.ts'
import { valuesOf } from '../../test/make.ts'

const skip = ENGINE !== 'postgres' && 'copies to PostgreSQL'
const dataDir = mkdtempSync(join(tmpdir(), 'plaza-copy-'))
const urls: string[] = []
after(async () => {
  rmSync(dataDir, { recursive: true, force: true })
  for (const url of urls) await dropDatabase(url)
})
if (!skip) await fillEverything({ dataDir, databaseUrl: undefined })

async function newTarget(): Promise<string> {
  const url = (await newDatabase()) as string
  urls.push(url)
  return url
}

async function withBoth<T>(url: string, action: (from: Db, to: Db) => Promise<T>): Promise<T> {
  const from = openDatabase({ dataDir, databaseUrl: undefined })
  const to = openDatabase({ dataDir, databaseUrl: url })
  try {
    return await action(from, to)
  } finally {
    await Promise.all([from.close(), to.close()])
  }
}

/** Copies the database, and stops at step number `limit` or at the table `limit`. Returns the steps. */
async function copyUntil(url: string, limit: number | string): Promise<string[]> {
  const steps: string[] = []
  const onProgress = (step: string) => {
    steps.push(step)
    if (step === limit || steps.length === limit) throw new Error('as if it were killed')
  }
  const copied = withBoth(url, (from, to) => copyDatabase({ from, to, onProgress }))
  await copied.catch((error: Error) => assert.equal(error.message, 'as if it were killed'))
  return steps
}

const isTargetEmpty = (to: Db) => withSnapshot(to, (run) => isEmpty(to.engine, run))

test('an interrupted copy resumes, and cannot be served before it is complete', {
  skip,
}, async () => {
  const url = await newTarget()
  const first = await copyUntil(url, 12)
  await withBoth(url, async (_, to) => {
    await assert.rejects(migrate(to, Date.now), UnfinishedRestore)
  })
  const second = await copyUntil(url, 12)
  const done = new Set(first.slice(0, -1))
  assert.deepEqual(
    second.filter((table) => done.has(table)),
    [],
  )
  await copyUntil(url, Infinity)
  await withBoth(url, async (_, to) => {
    assert.deepEqual(await migrate(to, Date.now), [])
    const { counts, damage } = await examineDatabase(to)
    assert.deepEqual([counts.filter(({ drift }) => drift > 0), damage], [[], []])
    await assert.rejects(copyDatabase({ from: _, to, onProgress: () => {} }), NotEmpty)
  })
})

test('locks the embedded database against writers', { skip }, async () => {
  const url = await newTarget()
  const otherDb = openDatabase({ dataDir, databaseUrl: undefined })
  let refused: unknown
  await withBoth(url, (from, to) =>
    copyDatabase({
      from,
      to,
      onProgress: () => {
        refused ??= otherDb
          .script(async (run) => {
            await run('begin immediate')
            await run('rollback')
          })
          .catch((error: unknown) => error)
      },
    }),
  )
  await otherDb.close()
  assert.ok((await refused) instanceof DatabaseUnavailable)
})

test('detects writes between two attempts, and the next attempt starts over', {
  skip,
}, async () => {
  const url = await newTarget()
  await copyUntil(url, 'webhooks')
  const write = (text: string) =>
    withBoth(url, (from) =>
      from.script(async (run) => {
        await run(text)
      }),
    )
  await write("update users set bio = 'meanwhile'")
  const found: Earlier[] = []
  const callbacks = { onProgress: () => {}, onEarlier: (earlier: Earlier) => found.push(earlier) }
  await withBoth(url, async (from, to) => {
    await assert.rejects(copyDatabase({ from, to, ...callbacks }), Different)
    assert.deepEqual(valuesOf(found, 'isResumed'), [true])
    assert.ok(await isTargetEmpty(to))
    await copyDatabase({ from, to, ...callbacks })
    assert.equal(found.length, 1, 'the second attempt finds no earlier one')
    await migrate(to, Date.now)
  })
})

test('rejects a target with other data or with another encryption key, and changes nothing', {
  skip,
}, async () => {
  const url = await newTarget()
  await withBoth(url, async (from, to) => {
    await to.script(async (run) => {
      await run('create table notes (text text)')
    })
    await assert.rejects(copyDatabase({ from, to, onProgress: () => {} }), NotEmpty)
    await to.script(async (run) => {
      assert.deepEqual(await run('select * from notes'), [])
      await run('drop table notes')
    })
    assert.ok(await isTargetEmpty(to))
  })
  await withBoth(url, (_, to) => to.script((run) => run('create table notes (text text)')))
  const again = await plazaOn({ dataDir, databaseUrl: url })('db', 'copy')
  const { host, pathname, password } = new URL(url)
  assert.deepEqual([again.code, again.out], [1, ''])
  assert.match(again.err, /is not empty, so nothing was copied: use an empty database.*\n$/)
  assert.ok(again.err.includes(`the PostgreSQL database ${pathname.slice(1)} at ${host} `))
  assert.ok(password === '' || !again.err.includes(password))
  await withBoth(url, (_, to) => to.script((run) => run('drop table notes')))
  const key = { ENCRYPTION_KEY: 'ab'.repeat(32) }
  const { code, out, err } = await plazaOn({ dataDir, databaseUrl: url }, key)('db', 'copy')
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /^plaza: ENCRYPTION_KEY does not decrypt the secrets of 2 of 2 webhooks.*\n$/)
  await withBoth(url, async (_, to) => assert.ok(await isTargetEmpty(to)))
})

test('copying without DATABASE_URL is a usage error', async () => {
  const { code, err } = await plazaOn({ dataDir, databaseUrl: undefined })('db', 'copy')
  assert.equal(code, 2)
  assert.match(err, /^plaza: DATABASE_URL must name/)
})
