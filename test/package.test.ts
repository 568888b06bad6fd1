import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '../scripts/postgres.ts'
import { VERSION } from '../src/package.ts'
import { ENGINE } from './app.ts'
import { childEnv } from './process.ts'
import { temporaryFolder } from './files.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..')
const folder = temporaryFolder('plaza-package-')

test('prints its version and serves the API and the client when installed from the npm package', {
  skip: ENGINE === 'postgres' && 'the package is the same on both engines',
}, async () => {
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root })
  const [archive = ''] = readdirSync(folder)
  assert.match(archive, /^plaza-\d+\.\d+\.\d+\.tgz$/)
  // Copies the files as npm install does, and links the dependencies instead of downloading them.
  const installed = join(folder, 'node_modules/plaza')
  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', join(folder, archive), '--strip-components=1', '-C', installed])
  symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'))
  assert.deepEqual(
    readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /^(?!node_modules\/).*\.test\.ts$|\.env$|^data|^test\//.test(path),
    ),
    [],
  )
  const plaza = join(folder, 'plaza')
  symlinkSync(join(installed, 'bin/plaza.mjs'), plaza)
  const printed = await run(plaza, ['--version'])
  assert.deepEqual(printed, { stdout: `${VERSION}\n`, stderr: '' })
  const port = await freePort(1)
  const settings = { DATA_DIR: join(folder, 'data'), PORT: String(port), FFMPEG: 'off', WEB: 'on' }
  const server = spawn(plaza, ['serve'], { env: childEnv(settings), stdio: 'ignore' })
  const ended = once(server, 'exit')
  try {
    const url = `http://127.0.0.1:${port}`
    for (let i = 0; ; i++) {
      const health = await fetch(`${url}/api/health`).catch(() => undefined)
      if (health?.ok) break
      assert.ok(i < 300, 'the packed server does not start')
      await new Promise((done) => setTimeout(done, 100))
    }
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    assert.equal(page.status, 200)
    assert.match(await page.text(), /\/assets\//)
  } finally {
    server.kill('SIGTERM')
    await ended
  }
})
