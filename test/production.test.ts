import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:https'
import { delimiter, dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '../scripts/postgres.ts'
import { dropDatabase, newDatabase, startApp, testSecrets } from './app.ts'
import { commandsIn, readDocument, sectionOf } from './documents.ts'
import { childEnv } from './process.ts'
import { formWith, FORM_TYPE } from './uploads.ts'
import { temporaryFolder } from './files.ts'

const root = resolve(import.meta.dirname, '..')
const production = readDocument('docs/production.md')
// Leaves out the commands about email, which the tests of the CLI run.
const install = production.replace(sectionOf(production, 'Send email'), '')
const [upgrade, goBack] = commandsIn('docs/upgrades.md')
const nightly = commandsIn('docs/backups.md', 'Back up every night')
const folder = temporaryFolder('plaza-production-')

const scaling = readFileSync(join(root, 'docs/scaling.md'), 'utf8')
const several = scaling.split(/^## /m).find((text) => text.startsWith('Several processes\n')) ?? ''
const commandsOf = (text: string) =>
  [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block as string)
const deployed = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
const UNITS = ['plaza.service', 'plaza@.service']

/** Replaces system paths with paths in this test's folder. */
const inside = (text: string) =>
  text.replaceAll(/(?<![\w.-])\/(opt|etc|var|usr\/local)\//g, `${folder}/$1/`)

test('starts the server like npm start in both units, with restarts and limited write access', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const command = `exec node_modules/node-linux-*/bin/${scripts.start} --env-file /etc/plaza.env`
  for (const unit of UNITS.map(deployed)) {
    assert.equal(/^ExecStart=(.*)$/m.exec(unit)?.[1], `/bin/sh -c '${command}'`)
    for (const line of [
      'NoNewPrivileges=true',
      'ProtectSystem=strict',
      'StateDirectory=plaza',
      'RestartSec=5',
      'StartLimitIntervalSec=0',
    ]) {
      assert.ok(unit.includes(`\n${line}\n`), line)
    }
    // The server must read the settings file itself, because systemd and the `plaza` command would parse it
    // differently.
    assert.doesNotMatch(unit, /EnvironmentFile/)
  }
  assert.match(deployed('plaza'), /--env-file \/etc\/plaza\.env/)
})

test('derives each process’s ports from the unit name and uses the same ports in the proxy', () => {
  assert.match(deployed('plaza@.service'), /^Environment=PORT=%i METRICS_PORT=1%i$/m)
  const ports = [...several.matchAll(/plaza@(\d+)/g)].map(([, port]) => Number(port))
  const [first, second] = [...new Set(ports)] as [number, number]
  const upstreams = deployed('nginx/two-processes.conf')
    .match(/\d+(?=;)/g)
    ?.map(Number)
  assert.deepEqual(upstreams, [first, second, first + 1, second + 1])
})

test('passes systemd-analyze verify with both units', {
  skip: spawnSync('systemd-analyze', ['--version']).status !== 0 && 'systemd is not installed',
}, () => {
  for (const unit of UNITS) {
    const name = unit.replace('@', '@3000')
    const file = join(folder, name)
    writeFileSync(file, deployed(unit).replaceAll('/opt/plaza', root))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file])
    const about = stderr.toString().split('\n')
    assert.deepEqual([status, about.filter((line) => line.includes(name))], [0, []])
  }
})

test('installs the server read-only for its user, and the plaza command works there', async () => {
  const databaseUrl = await newDatabase()
  after(async () => databaseUrl && (await dropDatabase(databaseUrl)))
  const code = join(folder, 'clone')
  mkdirSync(code)
  for (const name of readdirSync(root)) {
    if (!/^\.|^(node_modules|data|backups)$|\.env$/.test(name)) {
      symlinkSync(join(root, name), join(code, name))
    }
  }
  const commit = '-c user.name=x -c user.email=x@example.test commit -qm x'.split(' ')
  for (const args of [['init', '-q'], ['add', '.'], commit]) {
    const { status, stderr } = spawnSync('git', args, { cwd: code })
    assert.equal(status, 0, stderr.toString())
  }
  // Simulates the files that `npm ci` and a trial run leave in the clone.
  symlinkSync(join(root, 'node_modules'), join(code, 'node_modules'))
  mkdirSync(join(code, 'data'))
  const url = databaseUrl === undefined ? undefined : new URL(databaseUrl)
  // Adds characters that a shell would interpret, to check that no shell evaluates the settings file.
  url?.searchParams.set('application_name', 'a;b$c')
  const env = url && { ...testSecrets(), DATABASE_URL: decodeURIComponent(url.href) }
  const lines = Object.entries(env ?? {}).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(code, 'plaza.env'), lines.join(''), { mode: 0o600 })
  for (const place of [
    'opt',
    'etc/systemd/system',
    'etc/nginx/conf.d',
    'etc/nginx/sites-enabled',
    'var/lib',
    'var/backups',
    'usr/local/bin',
    'fake',
  ]) {
    mkdirSync(join(folder, place), { recursive: true })
  }
  writeFileSync(join(folder, 'fake/runuser'), '#!/bin/sh\nshift 3\nexec "$@"\n', { mode: 0o755 })
  const tool = join(folder, 'usr/local/bin/plaza')
  const script = [
    // Replaces the commands that would change the machine: these four only print their arguments.
    ...['useradd', 'systemctl', 'nginx', 'chown'].map((name) => `${name}() { echo "${name} $*"; }`),
    `npm() { echo "npm $*"; ln -sfn '${root}/node_modules' node_modules; }`,
    'git() { [ "$1" = pull ] || command git "$@"; }',
    'install() { local kept=(); while (($#)); do case $1 in -o|-g) shift 2;; *) kept+=("$1"); shift;; esac; done; command install "${kept[@]}"; }',
    // `PORT=wrong` checks that the command ignores settings in the environment.
    `plaza() { sed -i -e 's# /opt/# ${folder}/opt/#' -e 's# /etc/# ${folder}/etc/#' '${tool}'; if [ "$1" = user ]; then echo 'a long password' | PORT=wrong '${tool}' "$@" --password -; else PORT=wrong '${tool}' "$@"; fi; }`,
    databaseUrl
      ? ''
      : `DATA_DIR=./data '${process.execPath}' '${root}/bin/plaza.mjs' demo --people 10 --works 20`,
    // On PostgreSQL the restore is skipped here, because test/growing.test.ts covers it.
    ...[
      ...commandsOf(install),
      ...nightly,
      upgrade ?? '',
      (!databaseUrl && goBack) || '',
      ...commandsOf(several),
    ]
      .map(inside)
      .map((text) => text.replace('cat deploy/', `sed 's#=/var/#=${folder}/var/#' deploy/`)),
  ].join('\n')
  const { PATH } = process.env
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: code,
    env: childEnv({
      PATH: `${join(folder, 'fake')}${delimiter}${dirname(process.execPath)}${delimiter}${PATH}`,
      FFMPEG: 'off',
    }),
  })
  assert.match(stdout, /^useradd --system .* plaza\nnpm ci --omit=dev\nnpm run build\n/m)
  assert.match(stdout, /^created administrator you \(usr_\w{26}\)$/m)
  assert.match(stdout, /\nall is well\n/)
  const settings = join(folder, 'etc/plaza.env')
  assert.equal(statSync(settings).mode & 0o777, 0o640)
  assert.match(readFileSync(settings, 'utf8'), /^DATA_DIR=.*\/var\/lib\/plaza$/m)
  assert.equal(statSync(join(folder, 'var/lib/plaza')).mode & 0o777, 0o700)
  assert.equal(existsSync(join(folder, 'var/lib/plaza/plaza.db')), databaseUrl === undefined)
  assert.equal(readdirSync(join(folder, 'var/backups/plaza')).length, 2)
  const installed = readdirSync(join(folder, 'opt/plaza'))
  assert.ok(installed.includes('bin'))
  for (const name of ['data', 'plaza.env', '.git']) assert.ok(!installed.includes(name), name)
})

function makeCertificate(): { key: string; certificate: string } {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const names = [
    '-subj',
    '/CN=plaza.example.com',
    '-addext',
    'subjectAltName=DNS:plaza.example.com,DNS:games.example.net',
  ]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const files = ['-keyout', key, '-out', certificate]
  const { status, stderr } = spawnSync('openssl', ['req', '-x509', ...kind, ...names, ...files])
  assert.equal(status, 0, stderr.toString())
  return { key, certificate }
}

interface Asked {
  host: string
  path: string
  method?: string
  headers?: Record<string, string>
  body?: Buffer
}

function ask(port: number, ca: string, { host, path, method = 'GET', headers, body }: Asked) {
  return new Promise<{ status: number | undefined; text: string }>((done, reject) => {
    const options = { host: '127.0.0.1', port, servername: host, ca, path, method }
    const sent = request({ ...options, headers: { ...headers, host } }, (answer) => {
      let text = ''
      answer.on('data', (data: Buffer) => (text += data.toString()))
      answer.on('end', () => done({ status: answer.statusCode, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const tools = ['nginx', 'openssl'].filter((name) => spawnSync(name, ['version']).error)

test('routes both host names to the right port when nginx runs the configuration', {
  skip: tools.length > 0 && `${tools.join(' and ')} is not installed`,
}, async () => {
  const [served, tls, plain] = [await freePort(1), await freePort(), await freePort()]
  const app = await startApp({
    PORT: String(served),
    TRUST_PROXY: '1',
    GAMES_URL: 'https://games.example.net',
  })
  const { key, certificate } = makeCertificate()
  const site = ['one-process.conf', 'plaza.conf']
    .map((name) => deployed(`nginx/${name}`))
    .join('\n')
    .replaceAll(/listen \[::\]:\d+.*;/g, '')
    .replaceAll('listen 443 ', `listen 127.0.0.1:${tls} `)
    .replaceAll('listen 80;', `listen 127.0.0.1:${plain};`)
    .replaceAll(/\/etc\/\S+\/fullchain\.pem/g, certificate)
    .replaceAll(/\/etc\/\S+\/privkey\.pem/g, key)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${served}`)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${served + 1}`)
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const places = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `${user} pid ${folder}/nginx.pid; daemon off; error_log stderr; events {}\nhttp { access_log off; ${places}\n${site}\n}\n`,
  )
  const args = ['-c', config, '-p', folder]
  const tested = spawnSync('nginx', ['-t', ...args])
  assert.equal(tested.status, 0, tested.stderr.toString())
  assert.doesNotMatch(tested.stderr.toString(), /warn/)
  const nginx = spawn('nginx', args, { stdio: 'ignore' })
  const ended = once(nginx, 'close')
  try {
    const ca = readFileSync(certificate, 'utf8')
    const [host, games] = ['plaza.example.com', 'games.example.net']
    for (let i = 0; ; i++) {
      const isUp = await ask(tls, ca, { host, path: '/api/health' }).catch(() => undefined)
      if (isUp?.status === 200) break
      assert.ok(i < 100, 'nginx did not start within 5 seconds')
      await new Promise((done) => setTimeout(done, 50))
    }
    const mina = await app.user()
    const headers = {
      authorization: `Bearer ${mina.token}`,
      'content-type': FORM_TYPE,
      'x-forwarded-for': '203.0.113.77',
    }
    const wav = Buffer.alloc(3 * 1024 * 1024)
    wav.write('RIFF\0\0\0\0WAVE', 'latin1')
    const sent = { host, path: '/api/v1/uploads', method: 'POST', headers, body: formWith(wav) }
    assert.equal((await ask(tls, ca, sent)).status, 201)
    const body = Buffer.from('{"identifier":"nobody","password":"not a password"}')
    const login = { ...headers, 'content-type': 'application/json' }
    const loginRequest = { host, path: '/api/v1/auth/login', method: 'POST', headers: login, body }
    assert.equal((await ask(tls, ca, loginRequest)).status, 401)
    // Only one proxy is trusted, so the client's own X-Forwarded-For value must not be used.
    const counted = await app.sql("select bucket from attempts where bucket like 'login:%'")
    assert.ok(!JSON.stringify(counted).includes('203.0.113.77'), JSON.stringify(counted))
    const elsewhere = await ask(tls, ca, { host: games, path: '/api/v1/feeds' })
    assert.deepEqual([elsewhere.status, JSON.parse(elsewhere.text).success], [404, false])
    const moved = await fetch(`http://127.0.0.1:${plain}/feeds?page=2`, { redirect: 'manual' })
    assert.equal(moved.status, 308)
    assert.match(moved.headers.get('location') ?? '', /^https:\/\/.+\/feeds\?page=2$/)
  } finally {
    nginx.kill('SIGTERM')
    await ended
  }
})
