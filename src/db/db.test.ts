import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { newPlace } from '../../test/app.ts'
import { add, find, insert, put } from '../../test/attempts.ts'
import { times } from '../../test/make.ts'
import { type Db, DatabaseUnavailable, UniqueViolation } from './handle.ts'
import { isId, newId, timeOf } from './ids.ts'
import { migrate, NewerSchema } from './migrate.ts'
import { openDatabase } from './open.ts'
import { cached } from './statement.ts'
import { temporaryFolder } from '../../test/files.ts'

const opened: Db[] = []
const { dataDir, databaseUrl } = await newPlace(async () => {
  for (const db of opened) await db.close()
})

function open(dir = dataDir): Db {
  const db = openDatabase({ databaseUrl, dataDir: dir })
  opened.push(db)
  return db
}

const db = open()
await migrate(db, Date.now)

test('creates valid, strictly ascending ids', () => {
  let last = ''
  for (let i = 0; i < 20_000; i++) {
    const id = newId('cnt', 1_795_000_000_000 + (i >> 8))
    assert.ok(id > last)
    last = id
  }
  assert.ok(isId('cnt', last))
  for (const bad of [
    last.toUpperCase(),
    last.slice(1),
    `${last}0`,
    last.replace('cnt', 'cmt'),
    'cnt_8zzzzzzzzzzzzzzzzzzzzzzzzz',
    'cnt_il000000000000000000000000',
  ]) {
    assert.ok(!isId('cnt', bad), bad)
  }
})

test('creates a greater id after a given one, whatever the clocks say', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 45 }),
      fc.integer({ min: 0, max: 2 ** 45 }),
      (a, b) => {
        const first = newId('msg', a)
        const second = newId('msg', b, first)
        assert.ok(second > first)
        assert.ok(timeOf(second) >= timeOf(first))
        assert.ok(isId('msg', second))
      },
    ),
  )
})

test('rolls back a transaction that throws without affecting concurrent ones', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) =>
      db.transaction(async (tx) => {
        await tx.run(insert, put(`mixed-${i}`))
        if (i % 3 === 0) throw new Error('changed my mind')
      }),
    ),
  )
  for (const [i, outcome] of outcomes.entries()) {
    const row = await db.first(find, { bucket: `mixed-${i}` })
    assert.equal(outcome.status, i % 3 === 0 ? 'rejected' : 'fulfilled')
    assert.equal(row !== undefined, i % 3 !== 0)
  }
})

test('rethrows an error of the callback unchanged, whatever its code and message', async () => {
  for (const code of ['EMAIL_TAKEN', 'ECONNRESET', '08006', '53300', '23505']) {
    const thrown = Object.assign(new Error('the connection of two ideas'), { code })
    const failing = db.transaction(async (tx) => {
      await tx.run(insert, put(`thrown:${code}`))
      throw thrown
    })
    await assert.rejects(failing, (error) => error === thrown)
    assert.equal(await db.first(find, put(`thrown:${code}`)), undefined)
  }
})

test('shows committed rows to readers immediately', async () => {
  await times(50, async (i) => {
    await db.transaction((tx) => tx.run(insert, put(`seen-${i}`)))
    assert.ok(await db.first(find, { bucket: `seen-${i}` }))
  })
})

test('runs hooks after a commit and never after a rollback', async () => {
  const ran: string[] = []
  await db.transaction(async (tx) => {
    tx.afterCommit(() => ran.push('kept'))
    await tx.run(insert, put('hook'))
    assert.deepEqual(ran, [])
  })
  const failed = db.transaction(async (tx) => {
    tx.afterCommit(() => ran.push('lost'))
    throw new Error('no')
  })
  await assert.rejects(failed)
  assert.deepEqual(ran, ['kept'])
})

test('rejects a duplicate key with UniqueViolation without affecting the rest of its group', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => db.transaction((tx) => tx.run(insert, put('one')))),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof UniqueViolation)
  }
})

test('counts all concurrent additions of two handles', async () => {
  const second = open()
  await db.transaction((tx) => tx.run(insert, put('sum')))
  await times(200, (i) =>
    (i % 2 ? db : second).transaction((tx) => tx.run(add, { bucket: 'sum', by: 1 })),
  )
  assert.equal((await db.first(find, { bucket: 'sum' }))?.count, 200)
})

test('returns cached rows with the latest committed values, whichever process changed them', async () => {
  const second = open()
  const keeping = cached(['attempts'], find)
  const count = async () => (await db.first(keeping, { bucket: 'kept' }))?.count
  assert.equal(await count(), undefined)
  await db.transaction((tx) => tx.run(insert, put('kept')))
  for (let i = 0; i < 200; i++) {
    assert.equal(await count(), i)
    await (i % 2 ? db : second).transaction(async (tx) => {
      await tx.run(add, { bucket: 'kept', by: 1 })
      // Reads outside the transaction must not see the change before the commit.
      if (i % 2) assert.equal(await count(), i)
    })
  }
  assert.equal(await count(), 200)
})

test('does nothing when migrating again, and migrates once when many processes start together', async () => {
  const place = await newPlace()
  const fresh = () => openDatabase(place)
  const first = fresh()
  const others = [fresh(), fresh(), fresh()]
  const applied = await Promise.all([first, ...others].map((handle) => migrate(handle, Date.now)))
  assert.equal(applied.flat().length, new Set(applied.flat()).size)
  assert.deepEqual(await migrate(first, Date.now), [])
  for (const handle of [first, ...others]) await handle.close()
})

test('rejects a newer schema and leaves it unchanged', async () => {
  await db.script(async (run) => {
    await run(`insert into schema_migrations (number, name, applied_at) values (9999, 'later', 1)`)
  })
  await assert.rejects(migrate(db, Date.now), NewerSchema)
  await db.script(async (run) => {
    const [row] = await run('select count(*) as n from schema_migrations where number = 9999')
    assert.equal(row?.['n'], 1)
    await run('delete from schema_migrations where number = 9999')
  })
})

test('syncs each write before acknowledging it', {
  skip: databaseUrl !== undefined,
}, async () => {
  const dir = temporaryFolder('plaza-copy-')
  await db.transaction((tx) => tx.run(insert, put('durable')))
  // Copies the open files to simulate a power loss.
  for (const name of ['plaza.db', 'plaza.db-wal'])
    copyFileSync(join(dataDir, name), join(dir, name))
  const copy = open(dir)
  assert.ok(await copy.first(find, { bucket: 'durable' }))
  await copy.script(async (run) => {
    assert.deepEqual((await run('pragma integrity_check')).map(Object.values), [['ok']])
    assert.deepEqual((await run('pragma synchronous')).map(Object.values), [[2]])
  })
})

test('fails only the current transaction when its connection is lost', {
  skip: databaseUrl === undefined,
}, async () => {
  const lost = db.transaction(async (tx) => {
    await tx.run(insert, put('lost'))
    await db.script(async (run) => {
      await run(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
    })
    // Waits until the client has noticed that the connection is closed.
    await sleep(100)
    return tx.run(insert, put('lost too'))
  })
  await assert.rejects(lost, DatabaseUnavailable)
  await db.transaction((tx) => tx.run(insert, put('found')))
  assert.equal(await db.first(find, { bucket: 'lost' }), undefined)
})

test('keeps statements working when a later version adds a column', async () => {
  const second = open()
  await db.transaction((tx) => tx.run(insert, put('wide')))
  assert.deepEqual({ ...(await db.first(find, { bucket: 'wide' })) }, put('wide'))
  await second.script(async (run) => {
    await run('alter table attempts add column added integer')
  })
  const inside = await db.transaction((tx) => tx.first(find, { bucket: 'wide' }))
  assert.deepEqual({ ...inside }, { ...put('wide'), added: null })
  const row = await db.first(find, { bucket: 'wide' })
  assert.deepEqual({ ...row }, { ...put('wide'), added: null })
})

test('runs concurrent scripts one after another, each in its own transaction', async () => {
  const running = new Set<number>()
  await times(6, (i) =>
    db.script(async (run) => {
      await run('begin')
      running.add(i)
      await sleep(1)
      assert.equal(running.size === 1 || db.engine === 'postgres', true)
      running.delete(i)
      await run('commit')
    }),
  )
})
