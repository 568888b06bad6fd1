import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { after, test } from 'node:test'
import { newPlace, settingsOf, startApp, testSecrets } from '../../test/app.ts'
import { ask, makePageGame } from '../../test/playing.ts'
import { plaza, serve } from '../../test/process.ts'
import { dataOf } from '../../test/make.ts'
import { readConfig } from '../config.ts'

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return server
}

/** Returns a free port. With `nextIsTaken`, the port after it is occupied, otherwise that port is free too. */
async function findPorts({ nextIsTaken = false } = {}): Promise<number> {
  for (;;) {
    const first = await listen(0)
    const { port } = first.address() as { port: number }
    const second = await listen(port + 1).catch(() => undefined)
    first.close()
    if (second && !nextIsTaken) {
      second.close()
      await once(second, 'close')
    }
    if (second) return port
  }
}

async function settings(more: Record<string, string>): Promise<Record<string, string>> {
  return { CHROMIUM: 'off', FFMPEG: 'off', ...settingsOf(await newPlace()), ...more }
}

test("serves games on the port after the server's until it stops", async () => {
  const port = await findPorts()
  const server = await serve(await settings({ PORT: String(port), LOG_LEVEL: 'warn' }))
  const answer = await fetch(`http://127.0.0.1:${port + 1}/players/wasm.js`)
  assert.equal(answer.status, 200)
  await answer.text()
  assert.doesNotMatch(server.out(), /another port/)
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  await assert.rejects(fetch(`http://127.0.0.1:${port + 1}/players/wasm.js`))
})

test('serves games on another port and logs a warning when the next port is taken', async () => {
  const port = await findPorts({ nextIsTaken: true })
  const app = await startApp({ PORT: String(port) })
  assert.equal(app.url, `http://127.0.0.1:${port}`)
  const creator = await app.user()
  const game = await makePageGame(creator)
  const { launch_url } = dataOf(await ask(creator, game.id)).play
  assert.ok(![port, port + 1].includes(Number(new URL(launch_url).port)))
  assert.equal((await fetch(launch_url)).status, 200)
  await app.close()
  const server = await serve(await settings({ PORT: String(port), LOG_LEVEL: 'warn' }))
  assert.match(server.out(), new RegExp(`"taken":${port + 1}.*another port`))
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
})

test('refuses to start when the next port is taken and GAMES_URL is set', async () => {
  const port = await findPorts({ nextIsTaken: true })
  const more = { PORT: String(port), GAMES_URL: 'https://games.example', LOG_LEVEL: 'warn' }
  const { code, out } = await plaza(['serve'], await settings(more))
  assert.equal(code, 1)
  assert.equal(out.trim().split('\n').length, 1, out)
  assert.match(out, new RegExp(`${port + 1}.*games are served on the port after PORT`))
})

test("refuses to start and closes all listeners when the server's port is taken", async () => {
  const taken = await listen(0)
  const { port } = taken.address() as { port: number }
  const { code, out } = await plaza(
    ['serve'],
    await settings({ PORT: String(port), LOG_LEVEL: 'error' }),
  )
  assert.equal(code, 1)
  assert.match(out, new RegExp(`${port}.*set PORT`))
})

test("GAMES_URL must be an origin other than the API's", () => {
  const read = (env: Record<string, string>) =>
    readConfig({ DATABASE_URL: 'postgres://x/y', ...testSecrets(), ...env })
  assert.equal(read({ GAMES_URL: 'https://Games.example/' }).gamesUrl, 'https://games.example')
  for (const [env, line] of [
    [{ GAMES_URL: 'https://plaza.example/games' }, /GAMES_URL must have nothing after/],
    [{ GAMES_URL: 'games.example' }, /GAMES_URL must be a URL/],
    [{ GAMES_URL: 'https://a.example', PUBLIC_URL: 'https://a.example' }, /another origin/],
    [{ GAMES_URL: 'http://127.0.0.1:3000' }, /another origin/],
  ] as const) {
    assert.throws(() => read(env), line)
  }
})
