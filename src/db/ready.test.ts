import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { freePort } from '../../scripts/postgres.ts'
import { ENGINE, testSecrets } from '../../test/app.ts'
import { startCommand } from '../../test/command.ts'
import { childEnv, plaza, serve } from '../../test/process.ts'
import { migrate, SCHEMA } from './migrate.ts'

const entry = resolve(import.meta.dirname, '../../bin/plaza.mjs')
const skip = ENGINE !== 'postgres'
const { databaseUrl, dataDir } = await startCommand()
const older = await startCommand()

async function startEarly() {
  const port = await freePort()
  const url = new URL(databaseUrl as string)
  const target = { host: url.hostname, port: Number(url.port || 5432) }
  url.host = `127.0.0.1:${port}`
  const settings = { DATA_DIR: join(dataDir, 'early'), DATABASE_URL: url.href, ...testSecrets() }
  const child = spawn(process.execPath, [entry, 'serve'], {
    env: childEnv({ ...settings, PORT: '0' }),
  })
  const ended = once(child, 'close')
  let out = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (out += data.toString()))
  }
  const until = async (text: string) => {
    while (!out.includes(text)) {
      assert.equal(child.exitCode, null, out)
      await sleep(50)
    }
  }
  return { child, ended, until, out: () => out, port, target }
}

async function forward(port: number, target: { host: string; port: number }) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const upstream = connect(target)
    for (const end of [socket, upstream]) sockets.add(end.on('error', () => {}))
    socket.pipe(upstream).pipe(socket)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
}

test('waits for a database that is not up yet, logs this once, and then serves', {
  skip,
}, async () => {
  const early = await startEarly()
  await early.until('waiting for the database: DATABASE_URL: cannot connect to')
  await sleep(2500)
  assert.ok(!early.out().includes('serves at'))
  const stop = await forward(early.port, early.target)
  await early.until('serves at')
  assert.match(early.out(), /"the database is up"/)
  // The server logs the message once, not at each attempt.
  assert.equal(early.out().split('waiting for the database').length, 2, early.out())
  early.child.kill('SIGTERM')
  const [code] = await early.ended
  stop()
  assert.equal(code, 0, early.out())
})

test('stops on SIGTERM while it waits for its database', { skip }, async () => {
  const early = await startEarly()
  await early.until('waiting for the database')
  early.child.kill('SIGTERM')
  await early.ended
  assert.ok(!early.out().includes('serves at'))
})

test('exits immediately with one line when the database does not exist', {
  skip,
}, async () => {
  const url = new URL(databaseUrl as string)
  url.pathname = '/plaza_nosuch'
  const { code, out } = await plaza(['serve'], {
    DATA_DIR: join(dataDir, 'nosuch'),
    DATABASE_URL: url.href,
    ...testSecrets(),
    PORT: '0',
    LOG_LEVEL: 'warn',
  })
  assert.equal(code, 1)
  assert.match(out, /^plaza: [^\n]*plaza_nosuch[^\n]*\n$/)
})

test('logs both schema numbers before serving, only when it migrates', async () => {
  await older.look((db) => migrate(db, Date.now, 7))
  const settings = {
    DATA_DIR: older.dataDir,
    ...testSecrets(),
    ...(older.databaseUrl && { DATABASE_URL: older.databaseUrl }),
  }
  for (const migrates of [true, false]) {
    const server = await serve(settings)
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
    const [before = ''] = server.out().split('serves at')
    assert.equal(before.includes(`"migrated: schema 7 to ${SCHEMA}"`), migrates, server.out())
    assert.equal(/migrating: schema 7 to \d+; .* backup/.test(before), migrates)
  }
})
