import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { startApp } from '../../test/app.ts'
import { WASM_IMPORTS } from '../bundles/wasm-contract.ts'
import { RUFFLE_PATH } from './assets.ts'

const app = await startApp()
const origin = app.deps.games.origin('')

test('Flash films have no network, page access or windows, and a time limit for scripts', async () => {
  const script = await (await fetch(`${origin}/players/swf.js`)).text()
  const window: { RufflePlayer?: { config: Record<string, unknown> } } = {}
  runInNewContext(script, { window, addEventListener: () => {} })
  const config = window.RufflePlayer?.config ?? {}
  assert.equal(config['allowNetworking'], 'none')
  assert.equal(config['allowScriptAccess'], false)
  assert.equal(config['openUrlMode'], 'deny')
  assert.ok(Number(config['maxExecutionDuration']) <= 15)
  assert.equal(config['polyfills'], false)
  assert.equal(config['showSwfDownload'], false)
  assert.equal(config['logLevel'], 'error')
})

test('Ruffle is served complete and compressed, and may be cached indefinitely', async () => {
  const folder = dirname(fileURLToPath(import.meta.resolve('@ruffle-rs/ruffle')))
  const files = readdirSync(folder).filter((name) => /\.(js|wasm)$/.test(name))
  assert.ok(files.length >= 5)
  for (const name of files) {
    const answer = await fetch(`${origin}${RUFFLE_PATH}${name}`)
    assert.equal(answer.status, 200, name)
    assert.equal(answer.headers.get('content-encoding'), 'gzip')
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    const type = name.endsWith('.wasm') ? 'application/wasm' : 'text/javascript; charset=utf-8'
    assert.equal(answer.headers.get('content-type'), type)
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.ok(bytes.equals(readFileSync(join(folder, name))), name)
  }
  const plain = { headers: { 'accept-encoding': 'identity' } }
  const answer = await fetch(`${origin}${RUFFLE_PATH}ruffle.js`, plain)
  assert.equal(answer.headers.get('content-encoding'), null)
  assert.match(await answer.text(), /ruffle/i)
  for (const name of ['package.json', 'ruffle.js.map', 'README.md', '..%2fapp.ts', '%2e%2e']) {
    assert.equal((await fetch(`${origin}${RUFFLE_PATH}${name}`)).status, 404, name)
  }
})

test('the WebAssembly player offers exactly the functions of the contract', async () => {
  const script = await (await fetch(`${origin}/players/wasm.js`)).text()
  const offered: Record<string, object> = {}
  const element = {
    getContext: () => ({}),
    addEventListener: () => {},
    append: () => {},
    replaceChildren: () => {},
  }
  const context = {
    document: { createElement: () => element, body: element },
    performance,
    addEventListener: () => {},
    navigator: { language: 'en', webdriver: true },
    console: { error: () => {} },
    fetch: async () => ({ ok: true }),
    WebAssembly: {
      instantiateStreaming: async (_: unknown, imports: Record<string, object>) => {
        Object.assign(offered, imports)
        throw new Error('enough')
      },
    },
  }
  runInNewContext(script, context)
  await new Promise((done) => setImmediate(done))
  const names = Object.entries(offered).flatMap(([module, functions]) =>
    Object.keys(functions).map((name) => `${module}.${name}`),
  )
  const listed = WASM_IMPORTS.map(({ module, name }) => `${module}.${name}`)
  assert.deepEqual(names.sort(), listed.sort())
})
