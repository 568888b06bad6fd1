import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text as allTextOf } from 'node:stream/consumers'
import { test } from 'node:test'
import { anyone } from '../test/actors.ts'
import { captchaToken } from '../test/captcha.ts'
import { ENGINE, newPlaceWithoutFolder, settingsOf, testSecrets } from '../test/app.ts'
import { dataOf } from '../test/make.ts'
import { freePort } from '../scripts/postgres.ts'
import { plaza, serve, work } from '../test/process.ts'
import { createEmbedded } from './db/embedded.ts'

async function settings(more: Record<string, string> = {}): Promise<Record<string, string>> {
  const place = await newPlaceWithoutFolder()
  return { CAPTCHA_COST: '10', LOG_LEVEL: 'warn', ...settingsOf(place), ...more }
}

test('the first start prints its address and how to create an administrator, and makes its files private', {
  skip: ENGINE !== 'sqlite',
}, async () => {
  const env = await settings()
  // The server must not change the permissions of an existing folder.
  mkdirSync(env['DATA_DIR'] as string, { mode: 0o755 })
  const first = await serve(env)
  assert.match(first.out(), new RegExp(`serves at ${first.url}`))
  assert.match(first.out(), /user create .*--admin/)
  assert.equal(statSync(env['DATA_DIR'] as string).mode & 0o777, 0o755)
  for (const name of ['secrets.json', 'plaza.db', 'plaza.db-wal', 'plaza.db-shm']) {
    const { mode } = statSync(join(env['DATA_DIR'] as string, name))
    assert.equal(mode & 0o777, 0o600, name)
  }
  const file = join(env['DATA_DIR'] as string, 'secrets.json')
  const secrets = readFileSync(file, 'utf8')
  first.child.kill('SIGTERM')
  await first.ended
  const second = await serve(env)
  assert.doesNotMatch(second.out(), /user create/)
  assert.equal(readFileSync(file, 'utf8'), secrets)
  for (const secret of Object.values(JSON.parse(secrets) as Record<string, string>)) {
    assert.ok(!second.out().includes(secret))
  }
  second.child.kill('SIGTERM')
  await second.ended
})

test('logs each address with its purpose, and a worker logs no server address', async () => {
  const env = await settings({ LOG_LEVEL: 'info', CHROMIUM: 'off', FFMPEG: 'off' })
  const METRICS_PORT = String(await freePort())
  const server = await serve({ ...env, METRICS_PORT })
  const worker = await work(env)
  for (const { child, ended } of [worker, server]) {
    child.kill('SIGTERM')
    assert.equal(await ended, 0)
  }
  const linesWith = (text: string) =>
    [...text.matchAll(/"msg":"([^"]* at http[^"]*)"/g)].map(([, line]) => line)
  const [games, metrics, api, ...more] = linesWith(server.out()).toSorted()
  assert.match(games ?? '', /^games: serving at http:\/\/127\.0\.0\.1:\d+$/)
  assert.equal(metrics, `metrics are served at http://127.0.0.1:${METRICS_PORT}/metrics`)
  assert.deepEqual([api, more], [`the server listens at ${server.url}`, []])
  assert.match(linesWith(worker.out()).join('\n'), /^games: serving at http:\/\/127\.0\.0\.1:\d+$/)
  assert.doesNotMatch(worker.out(), /listen/i)
})

test('a wrong or missing setting stops the start with one clear line', {
  skip: ENGINE !== 'sqlite',
}, async () => {
  const wrong: [Record<string, string>, RegExp][] = [
    [{ PORT: 'abc' }, /PORT must be a whole number/],
    [{ RATE_LIMITS: 'sometimes' }, /RATE_LIMITS must be one of basic, enforce, off/],
    [{ CORS_ORIGINS: 'https://one.example,two.example' }, /CORS_ORIGINS must be \* or origins/],
    [{ TOKEN_SECRET: 'short' }, /TOKEN_SECRET must have at least 32/],
    [{ ENCRYPTION_KEY: 'x'.repeat(64) }, /ENCRYPTION_KEY must have 64 hex digits/],
    [{ CAPTCHA_SECRET: 'short' }, /CAPTCHA_SECRET must have at least 32/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must be a URL/],
    [
      { STORAGE_URL: 's3://key@example.com/files' },
      /^plaza: STORAGE_URL must hold a key and a secret/,
    ],
    [{ DATABASE_URL: 'postgres://127.0.0.1:1/x', TOKEN_SECRET: '' }, /TOKEN_SECRET must be set/],
    [{ WEBHOOK_RETRY_SCHEDULE: '5,x' }, /WEBHOOK_RETRY_SCHEDULE must be/],
  ]
  for (const [more, line] of wrong) {
    const { code, out } = await plaza(['serve'], await settings(more))
    assert.notEqual(code, 0)
    assert.match(out, line)
    assert.equal(out.trim().split('\n').length, 1, out)
  }
})

test('warns of a weak secret and a mistyped setting, and still serves', async () => {
  const TOKEN_SECRET = 'a'.repeat(64)
  const server = await serve({ ...(await settings()), TOKEN_SECRET, DATBASE_URL: 'postgres://x/y' })
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  assert.match(server.out(), /"weak secret: TOKEN_SECRET is one repeated character/)
  assert.match(server.out(), /^plaza: DATBASE_URL is not a setting .* mean DATABASE_URL\?$/m)
  assert.ok(!server.out().includes('ENCRYPTION_KEY'), server.out())
})

test('refuses to start on a file that is no database, and leaves it unchanged', {
  skip: ENGINE !== 'sqlite',
}, async () => {
  const env = await settings()
  const file = join(env['DATA_DIR'] as string, 'plaza.db')
  mkdirSync(env['DATA_DIR'] as string, { recursive: true })
  writeFileSync(file, 'this is a letter, not a database\n'.repeat(100))
  const before = readFileSync(file)
  const { code, out } = await plaza(['serve'], env)
  assert.notEqual(code, 0)
  assert.equal(out.trim().split('\n').length, 1, out)
  assert.deepEqual(readFileSync(file), before)
})

test('refuses to start with incomplete secrets, and generates none', {
  skip: ENGINE !== 'sqlite',
}, async () => {
  const good = testSecrets()
  const bad: [string, RegExp][] = [
    ['', /Unexpected end of JSON input/],
    ['{}', /TOKEN_SECRET must have at least 32 characters/],
    [JSON.stringify({ ...good, TOKEN_SECRET: 'short' }), /TOKEN_SECRET must have at least 32/],
    [
      JSON.stringify({ ...good, ENCRYPTION_KEY: 'x'.repeat(64) }),
      /ENCRYPTION_KEY must have 64 hex/,
    ],
    [JSON.stringify({ ...good, CAPTCHA_SECRET: 7 }), /CAPTCHA_SECRET must have at least 32/],
  ]
  for (const [text, reason] of bad) {
    const env = await settings()
    createEmbedded(env['DATA_DIR'] as string)
    const file = join(env['DATA_DIR'] as string, 'secrets.json')
    writeFileSync(file, text)
    const { code, out } = await plaza(['serve'], env)
    assert.notEqual(code, 0)
    assert.match(out, /^plaza: .*secrets\.json cannot be used: .*\n$/)
    assert.match(out, reason)
    assert.equal(readFileSync(file, 'utf8'), text)
  }
})

test('processes that start at the same time on an empty database share the same secrets', async () => {
  const env = await settings()
  const servers = await Promise.all(Array.from({ length: 4 }, () => serve(env)))
  const handle = 'together'
  assert.equal(await register(servers[0]?.url as string, handle), 201)
  const login = { identifier: handle, password: 'a long password' }
  const { tokens } = dataOf(await anyone(servers[1]?.url as string).post('/auth/login', login))
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  for (const { url } of servers) dataOf(await anyone(url, headers).get('/auth/me'))
  const renew = { refresh_token: tokens.refresh_token }
  dataOf(await anyone(servers[2]?.url as string).post('/auth/refresh', renew))
  for (const { child } of servers) child.kill('SIGTERM')
  for (const { ended } of servers) assert.equal(await ended, 0)
})

test('listens on one address when localhost has two, so that all connections are tracked', async () => {
  const env = await settings({ HOST: 'localhost' })
  const hosts = join(env['DATA_DIR'] as string, '..', 'hosts.mjs')
  writeFileSync(hosts, TWO_LOCALHOSTS)
  const server = await serve({ ...env, NODE_OPTIONS: `--import=${hosts}` })
  const port = Number(new URL(server.url).port)
  const refused = connect(port, '::1')
  await assert.rejects(once(refused, 'connect'), { code: 'ECONNREFUSED' })
  const served = connect(port, '127.0.0.1')
  served.write('rubbish\r\n\r\n')
  assert.match(await allTextOf(served), /"code":"BAD_REQUEST"/)
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
})

test('SIGTERM under load breaks no request, and a second SIGTERM has no effect', async () => {
  const server = await serve(await settings())
  const anon = anyone(server.url)
  const outcomes = { good: 0, refused: 0, broken: [] as string[] }
  let stopping = false
  const client = async () => {
    for (;;) {
      try {
        const answer = await anon.post('/captcha/challenge')
        // An overloaded server may return 503, which does not mean that the request was interrupted.
        if (!stopping && answer.status === 503) continue
        dataOf(answer)
        outcomes.good++
      } catch (error) {
        const code = ((error as Error).cause as { code?: string } | undefined)?.code
        if (stopping && code === 'ECONNREFUSED') outcomes.refused++
        else outcomes.broken.push(`${String(error)} ${code}`)
        return
      }
    }
  }
  const clients = Array.from({ length: 24 }, client)
  await new Promise((resolve) => setTimeout(resolve, 500))
  stopping = true
  server.child.kill('SIGTERM')
  server.child.kill('SIGTERM')
  const start = performance.now()
  assert.equal(await server.ended, 0)
  assert.ok(performance.now() - start < 10_000)
  await Promise.all(clients)
  assert.deepEqual(outcomes.broken, [], JSON.stringify(outcomes))
  assert.ok(outcomes.good > 24)
})

test('SIGTERM waits for a request on a new connection, but not for an idle connection', async () => {
  const server = await serve(await settings())
  const port = Number(new URL(server.url).port)
  const [silent, asking] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  await Promise.all([once(silent, 'connect'), once(asking, 'connect')])
  server.child.kill('SIGTERM')
  const start = performance.now()
  await new Promise((resolve) => setTimeout(resolve, 100))
  asking.write('GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n')
  assert.match(await allTextOf(asking), /^HTTP\/1\.1 200 /)
  assert.equal(await allTextOf(silent), '')
  assert.equal(await server.ended, 0)
  assert.ok(performance.now() - start < 5000)
})

test('kill -9 loses no acknowledged account, and the next start finds no damage', async () => {
  const env = await settings()
  const acknowledged: string[] = []
  for (let round = 0; round < 3; round++) {
    const server = await serve(env)
    const clients = Array.from({ length: 8 }, async () => {
      for (;;) {
        const handle = `k${Math.random().toString(36).slice(2, 14)}`
        const status = await register(server.url, handle).catch(() => undefined)
        if (status === undefined) return
        if (status === 201) acknowledged.push(handle)
      }
    })
    const before = acknowledged.length
    await new Promise((resolve) => setTimeout(resolve, 600))
    // On a slow machine, 600 ms may be too short for a registration.
    while (acknowledged.length === before && server.child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    server.child.kill('SIGKILL')
    await server.ended
    await Promise.all(clients)
  }
  assert.ok(acknowledged.length > 0)
  const server = await serve(env)
  for (const handle of acknowledged) dataOf(await anyone(server.url).get(`/creators/${handle}`))
  server.child.kill('SIGTERM')
  await server.ended
  const doctor = await plaza(['doctor'], env)
  assert.equal(doctor.code, 0, doctor.out)
})

/** Script that makes `localhost` resolve to two addresses, as on many machines. */
const TWO_LOCALHOSTS = `import dns from 'node:dns'
const { lookup } = dns
const found = [{ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 }]
dns.lookup = (host, options, done) => {
  if (host !== 'localhost') return lookup(host, options, done)
  if (options.all) done(null, found)
  else done(null, found[0].address, found[0].family)
}
`

async function register(url: string, handle: string): Promise<number> {
  const anon = anyone(url)
  const answer = await anon.post('/auth/register', {
    handle,
    email: `${handle}@example.test`,
    password: 'a long password',
    captcha_token: await captchaToken(anon),
  })
  return answer.status
}

test('warns once at start when WEBHOOK_ALLOW_PRIVATE is on', async () => {
  for (const [value, warnings] of [
    ['on', 1],
    ['off', 0],
  ] as const) {
    const server = await serve({ ...(await settings()), WEBHOOK_ALLOW_PRIVATE: value })
    server.child.kill('SIGTERM')
    await server.ended
    assert.equal(server.out().split('WEBHOOK_ALLOW_PRIVATE is on').length - 1, warnings)
  }
})
