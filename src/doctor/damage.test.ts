import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ENGINE, newPlace, testSecrets } from '../../test/app.ts'
import { fillEverything } from '../../test/filled.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { examineDatabase } from './examine.ts'
import { examineSealed } from './sealed.ts'
import { listWeaknesses } from './secrets.ts'
import { examineStorage } from './storage.ts'

const place = await newPlace(() => db.close())
const { dataDir } = place
await fillEverything(place, { users: 8, contents: 20 })
const db = openDatabase(place)

test('finds missing files and wrong sizes, and changed content only with reads', async () => {
  const [row] = await listRows("select path from files where path like '%.mp4'")
  const path = String(row?.['path'])
  const file = join(dataDir, 'files', path.slice(0, 2), path)
  const bytes = readFileSync(file)
  const settings = { dataDir, storageUrl: undefined }
  assert.deepEqual(await examineStorage(db, settings, { reads: true }), [])

  writeFileSync(file, Buffer.from(bytes.toReversed()))
  assert.deepEqual(await examineStorage(db, settings), [])
  assert.match(
    String(await examineStorage(db, settings, { reads: true })),
    new RegExp(
      `^1 of \\d+ stored files have content that does not match their hash, such as ${path}$`,
    ),
  )
  truncateSync(file, 2)
  const missing = new RegExp(`^1 of \\d+ stored files are missing .* such as ${path}$`)
  assert.match(String(await examineStorage(db, settings, { reads: true })), missing)
  rmSync(file)
  assert.match(String(await examineStorage(db, settings)), missing)
  writeFileSync(file, bytes)
  assert.deepEqual(await examineStorage(db, settings), [])
})

test('reports an unreachable storage instead of missing files', async () => {
  const storageUrl = 's3+http://KEY:SECRET@127.0.0.1:1/bucket'
  const found = await examineStorage(db, { dataDir, storageUrl })
  assert.equal(found.length, 1)
  assert.doesNotMatch(String(found), /missing/)
})

test('finds secrets that the key cannot decrypt, and weak keys', async () => {
  const key = testSecrets()['ENCRYPTION_KEY'] as string
  assert.deepEqual(await examineSealed(db, key), [])
  // The demo created one of the two webhooks, and this test file created the other.
  const locked = await examineSealed(db, 'ab'.repeat(32))
  assert.equal(locked.length, 3)
  assert.match(
    String(locked[0]),
    /^ENCRYPTION_KEY does not decrypt the secrets of 2 of 2 webhooks, such as whk_\w+$/,
  )
  assert.equal(
    locked[1],
    'ENCRYPTION_KEY does not decrypt the links of 1 of 1 mails, such as eml_1',
  )
  assert.equal(
    locked[2],
    'ENCRYPTION_KEY does not decrypt the TOTP secrets of 1 of 1 users, such as usr_star',
  )
  const env = { DATA_DIR: mkdtempSync(join(dataDir, 'weak-')), ...testSecrets() }
  assert.deepEqual(listWeaknesses(readConfig(env)), [])
  for (const [name, value] of Object.entries(testSecrets())) {
    const weak = { ...env, [name]: '0'.repeat(value.length) }
    assert.match(
      String(listWeaknesses(readConfig(weak))),
      new RegExp(`^${name} is one repeated character`),
    )
  }
})

test('finds overdue jobs', async () => {
  assert.equal((await examineDatabase(db)).overdue, 0)
  await listRows(`insert into jobs (id, kind, subject, status, due_at, created_at, updated_at)
    values ('job_2', 'thumbnail', 'x', 'queued', 1, 1, 1)`)
  assert.equal((await examineDatabase(db)).overdue, 1)
  await listRows("delete from jobs where id = 'job_2'")
})

test('finds an index that lacks a row of its table', {
  skip: ENGINE === 'postgres' && 'PostgreSQL has pg_amcheck for this',
}, async () => {
  await listRows('pragma wal_checkpoint(truncate)')
  const bytes = readFileSync(join(dataDir, 'plaza.db'))
  const [row] = await listRows('select min(email_key) as address from users')
  const address = Buffer.from(String(row?.['address']))
  const damage: string[] = []
  // Damages each occurrence of the address, in the table or in the index, in a separate copy.
  for (
    let offset = bytes.indexOf(address);
    offset >= 0;
    offset = bytes.indexOf(address, offset + 1)
  ) {
    const broken = Buffer.from(bytes)
    broken.writeUInt8(0x7e, offset)
    const folder = mkdtempSync(join(dataDir, 'broken-'))
    writeFileSync(join(folder, 'plaza.db'), broken)
    const brokenDb = openDatabase({ dataDir: folder, databaseUrl: undefined })
    damage.push(...(await examineDatabase(brokenDb)).damage)
    await brokenDb.close()
  }
  assert.match(String(damage), /missing from index/)
})

async function listRows(text: string): Promise<Record<string, unknown>[]> {
  let rows: Record<string, unknown>[] = []
  await db.script(async (run) => {
    rows = await run(text)
  })
  return rows
}
