/** Checks the image, the compose files, the Caddyfile and the backup units in deploy/. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from './files.ts'

const root = resolve(import.meta.dirname, '..')
const folder = temporaryFolder('plaza-deploy-')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const isMissing = (tool: string, ...args: string[]) => spawnSync(tool, args).status !== 0
const containerfile = read('deploy/Containerfile')

test('starts the server in the image with the flags of npm start', () => {
  const { start } = JSON.parse(read('package.json')).scripts
  const list = (name: string) =>
    JSON.parse(new RegExp(`^${name} (\\[.*\\])$`, 'm').exec(containerfile)?.[1] ?? '[]')
  const command = [...list('ENTRYPOINT'), ...list('CMD')]
  assert.equal(command.join(' ').replace('/opt/plaza/', ''), start)
})

test('runs the image as a user that does not own the code, with a health check', () => {
  assert.match(containerfile, /^USER plaza$/m)
  assert.doesNotMatch(containerfile, /--chown/)
  assert.match(containerfile, /^HEALTHCHECK .*"\/opt\/plaza\/deploy\/health\.mjs"\]$/m)
})

test('excludes the same files from builds by docker and podman', () => {
  const ignored = read('.containerignore')
  assert.equal(read('.dockerignore'), ignored)
  for (const name of ['deploy/health.mjs', 'package-lock.json', 'LICENSE']) {
    assert.ok(ignored.includes(`\n!${name}\n`), name)
  }
})

interface Service {
  environment: Record<string, string>
  read_only?: boolean
}

const PARSE = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))'

test('marks every variable of the compose files as required or gives it a default', {
  skip: isMissing('python3', '-c', 'import yaml') && 'python3 with yaml is not installed',
}, () => {
  const services: Record<string, Service> = {}
  for (const name of ['compose.yaml', 'compose.postgres.yaml', 'compose.traefik.yaml']) {
    const text = read(`deploy/${name}`)
    const parsed = spawnSync('python3', ['-c', PARSE], { input: text })
    assert.equal(parsed.status, 0, parsed.stderr.toString())
    services[name] = JSON.parse(parsed.stdout.toString()).services.plaza
    const required = [...text.matchAll(/\$\{(\w+):[?-]/g)].map(([, variable]) => variable)
    for (const [, variable] of text.matchAll(/\$\{(\w+)\}/g)) {
      assert.ok(required.includes(variable), `${name}: ${variable}`)
    }
  }
  assert.equal(services['compose.yaml']?.read_only, true)
  const { environment } = services['compose.postgres.yaml'] as Service
  for (const name of ['DATABASE_URL', 'TOKEN_SECRET', 'ENCRYPTION_KEY', 'CAPTCHA_SECRET']) {
    assert.ok(environment[name], name)
  }
})

test('has a Caddyfile that Caddy accepts', {
  skip: isMissing('caddy', 'version') && 'Caddy is not installed',
}, () => {
  const file = join(root, 'deploy/Caddyfile')
  const { status, stderr } = spawnSync('caddy', ['adapt', '--validate', '--config', file])
  assert.equal(status, 0, stderr.toString())
  assert.doesNotMatch(stderr.toString(), /warn/i)
})

test('has nightly backup units that systemd accepts', {
  skip: isMissing('systemd-analyze', '--version') && 'systemd is not installed',
}, () => {
  const names = ['plaza-backup.service', 'plaza-backup.timer']
  for (const name of names) {
    writeFileSync(join(folder, name), read(`deploy/${name}`).replaceAll('/opt/plaza', root))
  }
  const files = names.map((name) => join(folder, name))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files])
  const lines = stderr.toString().split('\n')
  assert.deepEqual([status, lines.filter((line) => line.includes('plaza-backup'))], [0, []])
})
