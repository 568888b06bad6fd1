import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ENGINE, newPlace, testSecrets } from '../../test/app.ts'
import { plaza, serve } from '../../test/process.ts'
import { until } from '../../test/receiver.ts'

const skip = ENGINE !== 'postgres' && 'only PostgreSQL is reached by a connection'
const { dataDir, databaseUrl = '' } = await newPlace()
const settings = { DATA_DIR: dataDir, FFMPEG: 'off', CHROMIUM: 'off', ...testSecrets() }

async function startGate(url: string) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const target = connect(Number(port), hostname)
    for (const end of [socket, target]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        target.destroy()
      })
    }
    socket.pipe(target).pipe(socket)
  })
  const open = async (requestedPort: number) => {
    await once(server.listen(requestedPort, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  const gatePort = await open(0)
  const through = new URL(url)
  through.host = `127.0.0.1:${gatePort}`
  return {
    url: through.href,
    open: () => open(gatePort),
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

test('logs one line without a stack at the start and the end of an outage, and recovers', {
  skip,
}, async () => {
  const gate = await startGate(databaseUrl)
  const server = await serve({ ...settings, DATABASE_URL: gate.url, LOG_LEVEL: 'info' })
  after(() => gate.close())
  const linesAbout = (text: string) =>
    server
      .out()
      .split('\n')
      .filter((line) => line.includes(text))
  for (const outage of [1, 2]) {
    const before = server.out().split('\n').length
    gate.close()
    await until(() => linesAbout('database: unreachable').length === outage, 'the first line')
    const refused = await fetch(`${server.url}/api/health`)
    assert.equal(refused.status, 503)
    await sleep(3000)
    await gate.open()
    await until(() => linesAbout('database: reachable again').length === outage, 'the last line')
    const health = (await (await fetch(`${server.url}/api/health`)).json()) as {
      data: { status: string }
    }
    assert.equal(health.data.status, 'ok')
    const lines = server
      .out()
      .split('\n')
      .slice(before - 1)
    const isRequest = (line: string) => line.includes('"msg":"request: 503"')
    const serious = lines.filter((line) => /"level":"(warn|error)"/.test(line) && !isRequest(line))
    assert.deepEqual(
      [serious.length, serious[0]?.includes('unreachable')],
      [1, true],
      serious.join('\n'),
    )
    assert.ok(!lines.some((line) => line.includes('stack')))
  }
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
})

test('exits with one line naming setting, host and database but no password when it cannot connect', {
  skip,
}, async () => {
  const wrong = async (change: (url: URL) => void) => {
    const url = new URL(databaseUrl)
    change(url)
    url.password = 'a-secret-word'
    const { code, out } = await plaza(['doctor'], { ...settings, DATABASE_URL: url.href })
    assert.equal(code, 1)
    assert.match(out, /^plaza: DATABASE_URL: [^\n]+\n$/)
    assert.ok(!out.includes('a-secret-word'))
    return out
  }
  const { host } = new URL(databaseUrl)
  const missing = await wrong((url) => (url.pathname = '/nosuch'))
  assert.ok(missing.includes('database "nosuch" does not exist') && missing.includes(host), missing)
  const stranger = await wrong((url) => (url.username = 'stranger'))
  assert.ok(
    stranger.includes('role "stranger" does not exist') && stranger.includes(host),
    stranger,
  )
  const nothing = await wrong((url) => (url.port = '9'))
  assert.match(nothing, /cannot connect to database "\w+" at \S+:9: connect ECONNREFUSED/)
})
