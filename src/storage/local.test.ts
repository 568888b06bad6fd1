import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { openStore } from './open.ts'
import { StorageFull, type Store } from './store.ts'

const root = mkdtempSync(join(tmpdir(), 'plaza-local-'))
const mounts: string[] = []
after(() => {
  for (const folder of mounts) execFileSync('umount', [folder])
  rmSync(root, { recursive: true, force: true })
})

const PATH = `${'ab'.repeat(32)}.png`
const open = (dataDir: string) => openStore({ storageUrl: undefined, dataDir })

function mountDisk(name: string, bytes: number): string | undefined {
  const folder = join(root, name)
  mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch {
    return undefined
  }
  mounts.push(folder)
  return folder
}

function filesBelow(folder: string): string[] {
  return globSync('**', { cwd: folder, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => entry.name)
}

async function read(store: Store, path: string): Promise<string> {
  return (await buffer(await store.read(path))).toString()
}

test('stores files in folders by the first digits of their hash, with access only for the server’s user', async () => {
  const dataDir = join(root, 'plain')
  const { store, staging } = await open(dataDir)
  const places: Record<string, string> = {
    [PATH]: `files/ab/${PATH}`,
    [`${'cd'.repeat(32)}/hls/0.ts`]: `files/cd/${'cd'.repeat(32)}/hls/0.ts`,
    [`bundles/${'ef'.repeat(32)}/7`]: `files/bundles/ef/${'ef'.repeat(32)}/7`,
  }
  for (const [path, place] of Object.entries(places)) {
    const file = staging.newFile()
    writeFileSync(file, path, { mode: 0o600 })
    await store.put(path, file, 'image/png')
    assert.equal(readFileSync(join(dataDir, place), 'utf8'), path)
  }
  for (const folder of ['files', 'incoming', 'files/ab']) {
    assert.equal(statSync(join(dataDir, folder)).mode & 0o077, 0, folder)
  }
})

test('neither lists nor touches foreign files in its folder', async () => {
  const dataDir = join(root, 'strange')
  const { store } = await open(dataDir)
  for (const place of [
    '.DS_Store',
    'README.TXT',
    `${'ab'.repeat(32)}.png`,
    `cd/${PATH}`,
    'lost+found/x',
  ]) {
    mkdirSync(join(dataDir, 'files', place, '..'), { recursive: true })
    writeFileSync(join(dataDir, 'files', place), 'x')
  }
  assert.deepEqual(await Array.fromAsync(store.list('')), [])
  assert.equal(await store.find(PATH), undefined)
})

test('copies a file from another disk, and rejects it with StorageFull when its own disk is full', async (t) => {
  const disk = mountDisk('small', 400_000)
  if (!disk) return t.skip('no disk may be mounted here')
  const { store, staging } = await open(join(disk, 'data'))
  const elsewhere = join(root, 'elsewhere')
  const size = 100_000
  const [first = '', second = '', third = ''] = ['1', '2', '3'].map((n) => `${n.repeat(64)}.png`)
  const bytes = randomBytes(size)
  writeFileSync(elsewhere, bytes)
  await store.put(first, elsewhere, 'image/png')
  assert.ok(!existsSync(elsewhere))
  writeFileSync(join(disk, 'filler'), randomBytes(200_000))

  writeFileSync(elsewhere, bytes)
  const before = filesBelow(disk)
  await assert.rejects(store.put(second, elsewhere, 'image/png'), StorageFull)
  assert.deepEqual(filesBelow(disk), before)
  assert.ok(existsSync(elsewhere), 'the caller’s file still exists')
  assert.equal(await store.find(second), undefined)
  assert.deepEqual(await buffer(await store.read(first)), bytes)

  rmSync(join(disk, 'filler'))
  await store.put(second, elsewhere, 'image/png')
  assert.deepEqual(await buffer(await store.read(second)), bytes)
  const staged = staging.newFile()
  writeFileSync(staged, 'x')
  await store.put(third, staged, 'image/png')
  assert.equal(await read(store, third), 'x')
})

test('stages files on the same disk when the files folder is a separate disk', async (t) => {
  const disk = mountDisk('own', 400_000)
  if (!disk) return t.skip('no disk may be mounted here')
  const dataDir = join(root, 'two-disks')
  mkdirSync(dataDir)
  symlinkSync(disk, join(dataDir, 'files'))
  const { store, staging } = await open(dataDir)
  const file = staging.newFile()
  assert.equal(statSync(join(file, '..')).dev, statSync(disk).dev)
  writeFileSync(file, 'x')
  await store.put(PATH, file, 'image/png')
  assert.equal(await read(store, PATH), 'x')
  assert.equal((await Array.fromAsync(store.list(''))).length, 1)
})

test('keeps a file that another process puts while the old one is being removed', async () => {
  const dataDir = join(root, 'race')
  const here = await open(dataDir)
  const opened = await open(dataDir)
  const hourAgo = new Date(Date.now() - 3_600_000)
  for (let round = 0; round < 60; round++) {
    const old = here.staging.newFile()
    writeFileSync(old, 'the same')
    await here.store.put(PATH, old, 'image/png')
    utimesSync(join(dataDir, 'files/ab', PATH), hourAgo, hourAgo)
    const file = opened.staging.newFile()
    writeFileSync(file, 'the same')
    await Promise.all([
      here.store.removeOlder(PATH, Date.now() - 60_000),
      opened.store.put(PATH, file, 'image/png'),
    ])
    assert.equal(await read(opened.store, PATH), 'the same', `round ${round}`)
  }
  assert.deepEqual(filesBelow(join(dataDir, 'incoming')), [])
})

test('removes a new file on request, unless it existed before or another process put it again', async () => {
  const dataDir = join(root, 'back')
  const here = await open(dataDir)
  const opened = await open(dataDir)
  const putBy = async ({ store, staging }: typeof here) => {
    const file = staging.newFile()
    writeFileSync(file, 'the same')
    return store.put(PATH, file, 'image/png')
  }
  const first = await putBy(here)
  await first()
  assert.equal(await here.store.find(PATH), undefined)
  await first()
  const before = await putBy(here)
  await (await putBy(opened))()
  await before()
  assert.equal(await read(opened.store, PATH), 'the same')
  await here.store.remove(PATH)
  for (let round = 0; round < 60; round++) {
    const takeBack = await putBy(here)
    await Promise.all([takeBack(), putBy(opened)])
    assert.equal(await read(opened.store, PATH), 'the same', `round ${round}`)
    await here.store.remove(PATH)
  }
  assert.deepEqual(filesBelow(join(dataDir, 'incoming')), [])
})

/** Script that kills its own process right after the first rename of a removal. */
const KILLED_REMOVAL = `
  import fs from 'node:fs/promises'
  import { syncBuiltinESMExports } from 'node:module'
  const { rename } = fs
  fs.rename = async (...names) => {
    await rename(...names)
    process.kill(process.pid, 'SIGKILL')
  }
  syncBuiltinESMExports()
  const { openStore } = await import(process.env.STORE)
  const { store } = await openStore({ storageUrl: undefined, dataDir: process.env.DIR })
  await store.removeOlder(process.env.FILE, Date.now() + 60_000)`

test('restores a file at the next start when the process was killed while removing it', async () => {
  const dataDir = join(root, 'killed')
  const before = await open(dataDir)
  const put = async () => {
    const file = before.staging.newFile()
    writeFileSync(file, 'the same')
    await before.store.put(PATH, file, 'image/png')
  }
  for (const isPutAgain of [false, true]) {
    await put()
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', KILLED_REMOVAL], {
      env: { ...process.env, STORE: import.meta.resolve('./open.ts'), DIR: dataDir, FILE: PATH },
    })
    assert.equal(signal, 'SIGKILL')
    assert.equal(await before.store.find(PATH), undefined)
    if (isPutAgain) await put()
    const { store } = await open(dataDir)
    assert.equal(await read(store, PATH), 'the same')
    const paths = (await Array.fromAsync(store.list(''))).map(({ path }) => path)
    assert.deepEqual(paths, [PATH])
    assert.deepEqual(filesBelow(join(dataDir, 'files', '.aside')), [])
  }
})

test('leaves no partial file under a path after an interruption', async () => {
  const dataDir = join(root, 'cut')
  const { store } = await open(dataDir)
  // A staged file of a killed process, never moved into the store.
  writeFileSync(join(dataDir, 'incoming/half'), 'ha')
  assert.equal(await store.find(PATH), undefined)
  assert.deepEqual(await Array.fromAsync(store.list('')), [])
  await assert.rejects(store.put(PATH, join(dataDir, 'incoming/nothing'), 'image/png'), /ENOENT/)
  assert.equal(await store.find(PATH), undefined)
})

test('reports unhealthy when its folder is missing', async () => {
  const dataDir = join(root, 'gone')
  const { store } = await open(dataDir)
  assert.equal(await store.isHealthy(), true)
  renameSync(join(dataDir, 'files'), join(dataDir, 'moved'))
  assert.equal(await store.isHealthy(), false)
  renameSync(join(dataDir, 'moved'), join(dataDir, 'files'))
  assert.equal(await store.isHealthy(), true)
})

test('fails at the start with one line naming the folder when the folder is unusable', async () => {
  const dataDir = join(root, 'file')
  writeFileSync(dataDir, 'x')
  await assert.rejects(() => open(dataDir), /^Error: DATA_DIR .* cannot be used: [^\n]+$/)
})
