import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ENGINE, testSecrets } from '../test/app.ts'
import { childEnv, plaza, serve } from '../test/process.ts'
import { createEmbedded } from './db/embedded.ts'
import { temporaryFolder } from '../test/files.ts'

const skip = ENGINE !== 'sqlite'
const root = temporaryFolder('plaza-data-dir-')
const entry = resolve(import.meta.dirname, '../bin/plaza.mjs')
let count = 0

function newFolder(): string {
  const folder = join(root, String(count++))
  mkdirSync(folder)
  return folder
}

async function usedFolder(): Promise<string> {
  const folder = newFolder()
  const who = ['--handle', 'mina', '--email', 'mina@example.test', '--password', 'a long password']
  const { code, out } = await plaza(['user', 'create', ...who], { DATA_DIR: folder })
  assert.equal(code, 0, out)
  return folder
}

/**
 * Lists the files and folders in `folder`. Leaves out the `-wal` and `-shm` files, which SQLite creates even
 * for reading.
 */
function listNames(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true }).map(String)
  return names.filter((name) => !/-(?:wal|shm)$/.test(name)).toSorted()
}

async function assertRefused(folder: string, line: RegExp): Promise<void> {
  const before = listNames(folder)
  const secrets = existsSync(join(folder, 'secrets.json'))
    ? readFileSync(join(folder, 'secrets.json'), 'utf8')
    : undefined
  const { code, out } = await plaza(['serve'], { DATA_DIR: folder, PORT: '0' })
  assert.equal(code, 1, out)
  assert.match(out, /^plaza: [^\n]+\n$/)
  assert.match(out, line)
  assert.deepEqual(listNames(folder), before)
  if (secrets) assert.equal(readFileSync(join(folder, 'secrets.json'), 'utf8'), secrets)
}

async function assertServes(folder: string, more: Record<string, string> = {}): Promise<void> {
  const server = await serve({ DATA_DIR: folder, LOG_LEVEL: 'warn', ...more })
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0, server.out())
}

test('does not start when secrets have a missing or empty database', { skip }, async () => {
  const folder = await usedFolder()
  truncateSync(join(folder, 'plaza.db'))
  const line = /DATA_DIR \S+ has secrets\.json, but its database plaza\.db is missing or empty/
  await assertRefused(folder, line)
  rmSync(join(folder, 'plaza.db'))
  await assertRefused(folder, line)
})

test('does not start when stored files have no database', { skip }, async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'files/ab'), { recursive: true })
  await assertRefused(folder, /has stored files, but its database plaza\.db is missing or empty/)
  createEmbedded(folder)
  await assertRefused(folder, /has stored files, but its database plaza\.db is missing or empty/)
  // `files` may be the mount point of an empty disk, which contains `lost+found`.
  const fresh = newFolder()
  mkdirSync(join(fresh, 'files/lost+found'), { recursive: true })
  await assertServes(fresh)
})

test('does not start when accounts have lost their secrets, unless the environment sets them', {
  skip,
}, async () => {
  const folder = await usedFolder()
  rmSync(join(folder, 'secrets.json'))
  const line = /secrets\.json is missing, and the accounts in the database need its secrets/
  await assertRefused(folder, line)
  assert.match((await plaza(['doctor'], { DATA_DIR: folder })).out, line)
  assert.equal(existsSync(join(folder, 'secrets.json')), false)
  await assertServes(folder, testSecrets())
})

test('completes a first start that was killed at any moment', {
  skip,
}, async () => {
  for (const name of ['plaza.db', 'secrets.json', 'files']) {
    const folder = newFolder()
    const env = childEnv({ DATA_DIR: folder, PORT: '0' })
    const child = spawn(process.execPath, [entry, 'serve'], { env, stdio: 'ignore' })
    const ended = once(child, 'close')
    while (!existsSync(join(folder, name))) await new Promise(setImmediate)
    child.kill('SIGKILL')
    await ended
    await assertServes(folder)
  }
  // A server that is killed before it writes the first page leaves an empty database file.
  const folder = newFolder()
  writeFileSync(join(folder, 'plaza.db'), '')
  await assertServes(folder)
})

test('completes a first start that was killed in its first transaction', { skip }, async () => {
  const [running, killed] = [newFolder(), newFolder()]
  const db = new DatabaseSync(join(running, 'plaza.db'))
  db.exec('pragma user_version = 1; pragma cache_size = 1; begin; create table filler (text)')
  const insert = db.prepare('insert into filler values (?)')
  for (let row = 0; row < 50; row += 1) insert.run('a'.repeat(4000))
  for (const name of ['plaza.db', 'plaza.db-journal']) {
    copyFileSync(join(running, name), join(killed, name))
  }
  db.close()
  await assertServes(killed)
  assert.equal(existsSync(join(killed, 'plaza.db-journal')), false)
})

test('restores a lost database from a backup beside its secrets and files', {
  skip,
}, async () => {
  const folder = await usedFolder()
  const backup = join(root, 'lost.tar')
  assert.equal((await plaza(['backup', backup], { DATA_DIR: folder })).code, 0)
  rmSync(join(folder, 'plaza.db'))
  const { code, out } = await plaza(['restore', backup], { DATA_DIR: folder })
  assert.equal(code, 0, out)
  await assertServes(folder)
})

test('serves a copied database with its copied secrets', { skip }, async () => {
  const [folder, copy] = [await usedFolder(), newFolder()]
  for (const name of ['plaza.db', 'secrets.json']) {
    copyFileSync(join(folder, name), join(copy, name))
  }
  await assertServes(copy)
})
