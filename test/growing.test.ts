/** Runs the commands of docs/postgresql.md exactly as printed, on the PostgreSQL of this run. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { findPostgres, freePort, onServer } from '../scripts/postgres.ts'
import { anyone } from './actors.ts'
import { ENGINE } from './app.ts'
import { commandsIn } from './documents.ts'
import { temporaryFolder } from './files.ts'
import { dataOf } from './make.ts'
import { childEnv } from './process.ts'

const root = resolve(import.meta.dirname, '..')

const GUIDE = 'docs/postgresql.md'

function run(script: string, folder: string, base: URL, settings: Record<string, string>) {
  const path = [dirname(process.execPath), findPostgres()?.bin, process.env['PATH']]
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    // Without a controlling terminal, createuser reads the password from standard input.
    detached: true,
    env: childEnv({
      PATH: path.filter(Boolean).join(delimiter),
      PGHOST: base.hostname,
      PGPORT: base.port,
      PGUSER: base.username,
      ...settings,
    }),
  })
  let said = ''
  child.stdout.on('data', (data: Buffer) => (said += data.toString()))
  child.stderr.on('data', (data: Buffer) => (said += data.toString()))
  child.stdin.end('PASSWORD\nPASSWORD\n')
  return { child, said: () => said }
}

test('creates a PostgreSQL database and serves from it with the printed commands', {
  skip: ENGINE !== 'postgres',
}, async () => {
  const base = new URL(process.env['TEST_DATABASE_URL'] as string)
  const folder = temporaryFolder('plaza-growing-')
  const port = await freePort()
  const [make, secrets, start] = commandsIn(GUIDE, 'Create the database')
  assert.ok(make && secrets && start)
  const script = [
    // The test's user already owns the private PostgreSQL server, so `sudo` is skipped.
    'sudo() { shift 2; "$@"; }',
    make,
    secrets,
    `sed -i 's/:5432/:${base.port}/' plaza.env`,
    start.replace('npm start --', `exec node '${root}/bin/plaza.mjs' serve`),
  ].join('\n')
  const { child, said } = run(script, folder, base, {
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
  })
  try {
    const anon = anyone(`http://127.0.0.1:${port}`)
    for (let i = 0; !said().includes('serves at'); i++) {
      assert.ok(child.exitCode === null && i < 1200, said())
      await new Promise((done) => setTimeout(done, 100))
    }
    dataOf(await anon.get('/api/health'))
    dataOf(await anon.post('/captcha/challenge'))
    assert.match(said(), /data in PostgreSQL/)
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'close')
    }
    await onServer(base.href, 'drop database if exists plaza with (force)')
    await onServer(base.href, 'drop role if exists plaza')
  }
  assert.equal(child.exitCode, 0, said())
})

test('moves an embedded database to PostgreSQL, and goes back to a backup, with the printed commands', {
  skip: ENGINE !== 'postgres',
}, async () => {
  const base = new URL(process.env['TEST_DATABASE_URL'] as string)
  const folder = temporaryFolder('plaza-moving-')
  const [make] = commandsIn(GUIDE, 'Create the database')
  const [secrets, copy] = commandsIn(GUIDE, 'Move from the embedded database')
  const [, empty] = commandsIn('docs/upgrades.md', 'Go back')
  assert.ok(make && secrets && copy && empty)
  const script = [
    'sudo() { shift 2; "$@"; }',
    `npm() { [ "$1" = start ] && return; shift 3; node '${root}/bin/plaza.mjs' "$@"; }`,
    'npm run plaza -- demo --people 10 --works 20',
    make,
    secrets,
    `sed -i 's/:5432/:${base.port}/' plaza.env`,
    copy,
    'npm run plaza -- --env-file plaza.env doctor',
    'npm run plaza -- --env-file plaza.env backup ./before.tar',
    empty,
    'export DATA_DIR=./data/back',
    'npm run plaza -- --env-file plaza.env restore ./before.tar',
    'npm run plaza -- --env-file plaza.env doctor',
  ].join('\n')
  const { child, said } = run(script, folder, base, { FFMPEG: 'off' })
  await once(child, 'close')
  await onServer(base.href, 'drop database if exists plaza with (force)')
  await onServer(base.href, 'drop database if exists plaza_failed with (force)')
  await onServer(base.href, 'drop role if exists plaza')
  assert.equal(child.exitCode, 0, said())
  assert.match(said(), /^restored [1-9][\d,]* rows/m)
  assert.match(said(), /^copied [1-9][\d,]* rows .* counts and hashes are equal$/m)
  assert.match(said(), /postgres, schema \d+\n[^]*all is well\n$/)
})
