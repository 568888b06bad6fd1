import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import {
  type Actor,
  ENGINE,
  newPlaceWithoutFolder,
  type Place,
  startApp,
  testSecrets,
} from '../../test/app.ts'
import { anyone } from '../../test/actors.ts'
import {
  digestsOf,
  env,
  filesIn,
  filesOf,
  ignore,
  listFaults,
  newFile,
  partsIn,
  readManifest,
  restoreInto,
  takeBackup,
  tryStart,
  withBackup,
  withPlace,
} from '../../test/backups.ts'
import { plazaOn } from '../../test/command.ts'
import { fillEverything } from '../../test/filled.ts'
import { dataOf, makeComment, makeContent } from '../../test/make.ts'
import { startS3 } from '../../test/s3.ts'
import { drawing, upload } from '../../test/uploads.ts'
import { systemClock } from '../clock.ts'
import { UnfinishedRestore } from '../db/migrate.ts'
import { startServer } from '../server.ts'
import { BackupDamaged } from './archive.ts'
import { backUp } from './backup.ts'
import { isEmpty } from './catalog.ts'
import { restoreFiles } from './files.ts'
import { NotEmpty } from './load.ts'
import { withSnapshot } from '../db/snapshot.ts'

const plaza = (place: Place) => plazaOn(place, env)

const app = await startApp(env)
const full = await newPlaceWithoutFolder()
await fillEverything(full, { users: 10, contents: 20 })
// Enlarges two comments, so that the rows of the table do not fit in one part.
await withPlace(full, ({ db }) =>
  db.script(async (run) => {
    const body = 'long '.repeat(200_000)
    await run(
      `update comments set body = '${body}' 
         where id in (select id from comments where is_deleted = 0 order by id limit 2)`,
    )
  }),
)
const backup = await takeBackup(full)
const manifest = await readManifest(backup)

test('a backup taken under load includes every acknowledged write with its file', async () => {
  const star = await app.user()
  const { id } = await makeContent(star)
  const before: string[] = []
  let isOver = false
  let writes = 0
  const write = async (user: Actor) => {
    while (!isOver) {
      const comment = await makeComment(user, id)
      if (!isTaken) before.push(comment.id)
      dataOf(await user.post(`/contents/${id}/like`))
      dataOf(await upload(user, await drawing(20, 20).png().toBuffer()), 201)
      writes++
      await setTimeout(10)
    }
  }
  let isTaken = false
  const writers = [await app.user(), await app.user()].map(write)
  while (before.length < 10) await setTimeout(5)
  const file = newFile()
  isTaken = true
  const { dataDir, databaseUrl } = app.deps.config
  const { code, err } = await plaza({ dataDir, databaseUrl })('backup', file)
  assert.equal(code, 0, err)
  isOver = true
  await Promise.all(writers)
  assert.ok(writes > before.length / 2)

  const place = await newPlaceWithoutFolder()
  await restoreInto(place, file)
  assert.deepEqual(await listFaults(place), [])
  const restoredIds = await withPlace(place, ({ db }) =>
    withSnapshot(db, async (text) => {
      const rows = await text('select id from comments')
      return new Set(rows.map((row) => row['id']))
    }),
  )
  assert.deepEqual(
    before.filter((row) => !restoredIds.has(row)),
    [],
  )
})

test('restores a database to the other engine and back with all rows, files and secrets', async () => {
  let place = full
  let file = backup
  const files = await filesIn(full)
  assert.deepEqual(await filesOf(backup), files)
  for (const engine of ENGINE === 'postgres' ? ['sqlite', 'postgres'] : ['sqlite']) {
    place = await newPlaceWithoutFolder(undefined, { engine })
    if (engine === 'sqlite') await restoreWithSecrets(place, file)
    else await restoreInto(place, file)
    assert.deepEqual(await listFaults(place), [])
    file = await takeBackup(place)
    assert.deepEqual(digestsOf(await readManifest(file)), digestsOf(manifest))
    assert.deepEqual(await filesIn(place), files)
    assert.deepEqual(await filesOf(file), files)
  }
  await withPlace(place, async ({ config }) => {
    const log = pino({ level: 'silent' })
    const server = await startServer(config, { log, clock: systemClock })
    const login = { identifier: 'demo', password: 'demo-password-1' }
    const { user } = dataOf(await anyone(server.url).post('/auth/login', login))
    assert.equal(user.handle, 'demo')
    await server.close()
  })
})

async function restoreWithSecrets(place: Place, from: string): Promise<void> {
  const { code, out, err } = await plazaOn(place)('restore', from)
  assert.equal(code, 0, err)
  assert.doesNotMatch(out, /^an /m)
  const file = join(place.dataDir, 'secrets.json')
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), testSecrets())
  assert.equal(statSync(file).mode & 0o077, 0)
}

test('writes a manifest that describes the backup', async () => {
  assert.equal(statSync(backup).mode & 0o777, 0o600)
  assert.equal(manifest.engine, ENGINE)
  assert.equal(manifest.migrations.length, manifest.schema)
  assert.ok(manifest.tables.every(({ rows }) => rows > 0))
  assert.ok(Math.abs(Date.parse(manifest.taken_at) - Date.now()) < 600_000)
  const secrets = await withBackup(backup, (opened) => opened.read(opened.manifest.secrets))
  assert.deepEqual(JSON.parse(secrets.toString('utf8')), testSecrets())
})

test('rejects an existing file and a database with data, and changes neither', async () => {
  const before = readFileSync(backup)
  const again = await plaza(full)('backup', backup)
  const into = await plaza(full)('restore', backup)
  assert.deepEqual([again.code, again.out, into.code], [1, '', 1])
  assert.match(again.err, /^plaza: \S+ already exists: choose a new file name\n$/)
  assert.match(into.err, /^plaza: the (PostgreSQL )?database .+ is not empty: restore into .*\n$/)
  assert.ok(readFileSync(backup).equals(before))
  assert.deepEqual(digestsOf(await readManifest(await takeBackup(full))), digestsOf(manifest))
})

test('rejects other secrets, a damaged backup and a missing database with one line each', async () => {
  const place = await newPlaceWithoutFolder()
  const nothing = await newPlaceWithoutFolder(undefined, { engine: 'sqlite' })
  const damaged = copyOfBackup()
  flipBit(damaged, manifest.secrets.offset)
  const outcomes = [
    await plazaOn(place, { ...env, TOKEN_SECRET: 'x'.repeat(32) })('restore', backup),
    await plazaOn(nothing)('restore', damaged),
    await plaza(nothing)('backup', newFile()),
  ]
  const lines = [/TOKEN_SECRET must match/, /secrets.json has changed/, /no database in/]
  for (const [index, { code, out, err }] of outcomes.entries()) {
    assert.deepEqual([code, out.replace('checking the backup\n', '')], [1, ''])
    assert.match(err, /^plaza: [^\n]+\n$/)
    assert.match(err, lines[index] as RegExp)
  }
  assert.ok(!existsSync(join(nothing.dataDir, 'secrets.json')))
})

test('a failed backup leaves no file', async () => {
  const file = newFile()
  await withPlace(full, async ({ db, store }) => {
    store.open = () => Promise.reject(new Error('the store is unavailable'))
    const taken = backUp({ db, store, file, secrets: {}, now: Date.now, onProgress: ignore })
    await assert.rejects(taken, /the store is unavailable/)
  })
  assert.deepEqual([existsSync(file), existsSync(`${file}.partial`)], [false, false])
})

test('detects damage before writing anything, and a damaged file before storing it', async () => {
  const [file] = await partsIn(backup)
  const [list] = manifest.files.lists
  const part = manifest.tables.find(({ name }) => name === 'comments')?.parts[1]
  assert.ok(file && list && part)
  const place = await newPlaceWithoutFolder()
  // Damages in turn a part with rows, a file list, and the header before a file.
  for (const offset of [part.offset, list.offset, file.offset - 500]) {
    const damaged = copyOfBackup()
    flipBit(damaged, offset)
    await assert.rejects(restoreInto(place, damaged), BackupDamaged)
    assert.ok(await isUntouched(place))
    assert.deepEqual(await filesIn(place), {})
  }
  const damaged = copyOfBackup()
  flipBit(damaged, file.offset + (file.size >> 1))
  await assert.rejects(restoreInto(place, damaged), BackupDamaged)
  assert.ok(!(await filesIn(place))[file.path.slice(6)])
  assert.ok((await tryStart(place)) instanceof UnfinishedRestore)
})

function copyOfBackup(): string {
  const file = newFile()
  cpSync(backup, file)
  return file
}

function isUntouched(place: Place): Promise<boolean> {
  return withPlace(place, ({ db }) => withSnapshot(db, (text) => isEmpty(db.engine, text)))
}

function flipBit(file: string, offset: number): void {
  const bytes = readFileSync(file)
  bytes[offset] = (bytes[offset] as number) ^ 1
  writeFileSync(file, bytes)
}

test('no server starts on an interrupted restore, and the next restore completes it', async () => {
  const place = await newPlaceWithoutFolder()
  const parts = manifest.tables.find(({ name }) => name === 'comments')?.parts ?? []
  assert.ok(parts.length > 2, 'the table has several parts, so a restore can stop between them')
  const done: string[] = []
  for (const end of ['files', 'users', 'comments', 'comments', 'comparing']) {
    const stop = new Error('as if it were killed')
    const cut = restoreInto(place, backup, (step, rows) => {
      if (step !== 'files' && step !== 'comparing') done.push(`${step} ${rows}`)
      if (step === end) throw stop
    })
    await assert.rejects(cut, (error) => error === stop)
    const refusal = await tryStart(place)
    assert.ok(refusal instanceof UnfinishedRestore, String(refusal))
    assert.match(refusal.message, /^a restore or copy into this database is unfinished/)
  }
  const { code, out, err } = await plaza(place)('restore', backup)
  assert.deepEqual([code, err], [0, ''])
  assert.match(
    out,
    /^an earlier attempt was interrupted: resuming it \(so far [\d,]+ rows of \w+\)$/m,
  )
  assert.equal(new Set(done).size, done.length, 'no part is restored twice')
  assert.deepEqual(await tryStart(place), [])
  assert.deepEqual(await listFaults(place), [])
  assert.deepEqual(digestsOf(await readManifest(await takeBackup(place))), digestsOf(manifest))
})

test('a restore of another backup starts over', async () => {
  const place = await newPlaceWithoutFolder()
  const killed = restoreInto(place, await takeBackup(full, false), (step) => {
    if (step === 'comments') throw new Error('killed')
  })
  await assert.rejects(killed, /killed/)
  const { code, out, err } = await plaza(place)('restore', backup)
  assert.deepEqual([code, err], [0, ''])
  assert.match(
    out,
    /^an unfinished restore or copy from another source was found \(so far \d+ rows of comments\): its rows are deleted, and this one starts over$/m,
  )
  assert.deepEqual(await listFaults(place), [])
  await assert.rejects(restoreInto(place, backup), NotEmpty)
})

test('a backup without files restores only the rows', async () => {
  const file = await takeBackup(full, false)
  assert.deepEqual(await partsIn(file), [])
  const place = await newPlaceWithoutFolder(undefined, { engine: 'sqlite' })
  await restoreInto(place, file)
  assert.match(String(await listFaults(place)), /^\d+ of \d+ stored files are missing/)
  cpSync(join(full.dataDir, 'files'), join(place.dataDir, 'files'), { recursive: true })
  assert.deepEqual(await listFaults(place), [])
})

test('copies files to and from a bucket, and skips files that are already there', async () => {
  const s3 = await startS3()
  const { storageUrl } = s3
  const stored = await filesIn(full)
  const place = { ...(await newPlaceWithoutFolder(undefined, { engine: 'sqlite' })), storageUrl }
  await restoreInto(place, backup)
  assert.deepEqual(await listFaults(place), [])
  assert.equal(s3.objects.size, Object.keys(stored).length)
  const file = await takeBackup(place)
  assert.deepEqual(await filesOf(file), stored)

  s3.requests.length = 0
  await withPlace(place, ({ store, staging }) =>
    withBackup(file, (opened) => restoreFiles({ store, staging }, opened, ignore)),
  )
  assert.deepEqual(
    s3.requests.filter((request) => request.startsWith('PUT')),
    [],
  )
})
