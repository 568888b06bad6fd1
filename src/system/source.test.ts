import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { VERSION } from '../package.ts'

test('sends the source of this server as an archive, and 304 when the client has it', async () => {
  const app = await startApp()
  const response = await fetch(`${app.url}/source`)
  assert.equal(response.status, 200)
  const name = `plaza-${VERSION}`
  const disposition = `attachment; filename="${name}.tar.gz"`
  assert.equal(response.headers.get('content-disposition'), disposition)
  const archive = Buffer.from(await response.arrayBuffer())
  const listed = spawnSync('tar', ['-tzf', '-'], { input: archive })
  assert.deepEqual([listed.status, listed.stderr.toString()], [0, ''])
  const paths = listed.stdout.toString().trim().split('\n')
  for (const path of ['LICENSE', 'package.json', 'bin/plaza.mjs', 'src/system/source.ts']) {
    assert.ok(paths.includes(`${name}/${path}`), path)
  }
  assert.ok(paths.some((path) => path.startsWith(`${name}/web/src/`)))
  const unwanted = /\/(?:\.|node_modules\/|dist\/|data\/|deploy\/)|\.env$/
  assert.deepEqual(
    paths.filter((path) => unwanted.test(path)),
    [],
  )
  const headers = { 'if-none-match': response.headers.get('etag') ?? '' }
  assert.equal((await fetch(`${app.url}/source`, { headers })).status, 304)
})

test('redirects to SOURCE_URL when it is set', async () => {
  const sourceUrl = 'https://git.example.com/plaza'
  const app = await startApp({ SOURCE_URL: sourceUrl })
  const response = await fetch(`${app.url}/source`, { redirect: 'manual' })
  assert.deepEqual([response.status, response.headers.get('location')], [302, sourceUrl])
})
