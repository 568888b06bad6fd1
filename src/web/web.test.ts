import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { temporaryFolder } from '../../test/files.ts'
import { serve } from '../../test/process.ts'
import { buildClient } from './build.ts'

const BROWSER = { accept: 'text/html', 'accept-encoding': 'br' }

async function start(settings: Record<string, string> = {}) {
  const DATA_DIR = temporaryFolder('plaza-web-')
  const server = await serve({ DATA_DIR, LOG_LEVEL: 'info', FFMPEG: 'off', ...settings })
  after(async () => {
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
  })
  return server
}

test('serves the first page and its files as the policy requires', async () => {
  await buildClient()
  const { url, out } = await start({ WEB: 'on' })
  const answer = await fetch(url, { headers: BROWSER })
  assert.equal(answer.status, 200, out())
  assert.equal(answer.headers.get('content-encoding'), 'br')
  const page = await answer.text()
  const policy = answer.headers.get('content-security-policy') ?? ''
  const inline = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text]) => text ?? '')
  for (const script of inline) {
    const digest = createHash('sha256').update(script).digest('base64')
    assert.ok(policy.includes(`'sha256-${digest}'`))
  }
  assert.doesNotMatch(page, /<style|style=|\son\w+=|javascript:/)
  // Leaves out absolute URLs that the page does not load, such as the canonical URL.
  const loaded = page
    .replaceAll(/<meta [^>]*>|<link rel="(?:canonical|alternate)"[^>]*>/g, '')
    .replaceAll(/<script type="application\/(?:ld\+)?json"[^]*?<\/script>/g, '')
  assert.doesNotMatch(loaded, /https?:\/\//)
  const wanted = [...loaded.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '')
  assert.ok(wanted.some((path) => /^\/assets\/.*\.js$/.test(path)))
  for (const path of wanted) {
    const file = await fetch(url + path, { headers: { 'accept-encoding': 'br' } })
    assert.equal(file.status, 200, path)
    const lasts = /immutable/.test(file.headers.get('cache-control') ?? '')
    assert.equal(lasts, path.startsWith('/assets/'), path)
    await file.arrayBuffer()
  }
  assert.equal((await fetch(`${url}/no-such-page`, { headers: BROWSER })).status, 404)
  assert.equal((await fetch(`${url}/api/v1/feeds`)).status, 200)
})

test('serves only the API with WEB=off', async () => {
  const { url } = await start({ WEB: 'off' })
  const answer = await fetch(url, { headers: BROWSER })
  assert.equal(answer.status, 404)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal((await fetch(`${url}/docs`)).status, 200)
})
