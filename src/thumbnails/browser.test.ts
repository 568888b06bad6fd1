import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import sharp from 'sharp'
import { ENGINE, type Loose, startApp } from '../../test/app.ts'
import { CHROMIUM, withoutChromium } from '../../test/chromium.ts'
import { temporaryFolder } from '../../test/files.ts'
import { dataOf, makeContent } from '../../test/make.ts'
import { makePageGame } from '../../test/playing.ts'
import { served } from '../../test/uploads.ts'
import { findBrowser, withBrowser } from './browser.ts'
import { until } from '../../test/receiver.ts'

/**
 * Temporary folder that only this file uses, so that the tests can detect files left by a browser. Mode 711 lets the
 * browser's user reach its own folder inside.
 */
const folder = temporaryFolder('plaza-pictures-')
chmodSync(folder, 0o711)
process.env['TMPDIR'] = folder

const app = await startApp({ CHROMIUM: CHROMIUM ?? 'off' })
const creator = await app.user()

async function thumbnailOf(game: Loose): Promise<{ data: Buffer; width: number; height: number }> {
  let job: Loose
  const isOver = async () => {
    job = dataOf(await creator.get(`/contents/${game.id}/thumbnail-job`)).job
    assert.notEqual(job.status, 'failed')
    return job.status === 'completed'
  }
  await until(isOver, 'the thumbnail')
  const picture = sharp(await served(app, job.thumbnail_url)).removeAlpha()
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/**
 * Returns the colour at a position, with channels from 0 to 5. `x` and `y` are shares of the width and the
 * height.
 */
function pixelAt(
  { data, width, height }: Awaited<ReturnType<typeof thumbnailOf>>,
  x: number,
  y: number,
) {
  const place = (Math.floor(y * height) * width + Math.floor(x * width)) * 3
  return [...data.subarray(place, place + 3)].map((value) => Math.round(value / 51))
}

test('takes a thumbnail of a running game, which reaches only its own origin', {
  skip: withoutChromium,
}, async () => {
  const asked: string[] = []
  const outside = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end('<h1>An inner page of the operator’s')
  })
  outside.listen(0, '127.0.0.1')
  await once(outside, 'listening')
  after(() => outside.close())
  const url = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
  const game = await makePageGame(
    creator,
    {
      'index.html': `<!doctype html><style>* { margin: 0 }</style><canvas></canvas><script src="main.js"></script>`,
      'main.js': `
const canvas = document.querySelector('canvas')
canvas.width = innerWidth
canvas.height = innerHeight
const screen = canvas.getContext('webgl')
requestAnimationFrame(function draw() {
  screen.disable(screen.SCISSOR_TEST)
  screen.clearColor(0, 1, 0, 1)
  screen.clear(screen.COLOR_BUFFER_BIT)
  screen.enable(screen.SCISSOR_TEST)
  screen.scissor(0, 0, innerWidth, innerHeight / 2)
  screen.clearColor(1, 0, 0, 1)
  screen.clear(screen.COLOR_BUFFER_BIT)
  requestAnimationFrame(draw)
})
fetch('${url}/fetch').catch(() => {})
navigator.sendBeacon('${url}/beacon')
new Image().src = '${url}/picture'
new WebSocket('${url.replace('http', 'ws')}/socket')`,
    },
    { game: { orientation: 'portrait' } },
  )
  const picture = await thumbnailOf(game)
  assert.deepEqual([picture.width, picture.height], [360, 640])
  assert.deepEqual(
    [pixelAt(picture, 0.5, 0.25), pixelAt(picture, 0.5, 0.75)],
    [
      [0, 5, 0],
      [5, 0, 0],
    ],
  )
  assert.deepEqual(asked, [])
  const left = readdirSync(folder).filter((name) => name.startsWith('plaza-browser-'))
  assert.deepEqual(left, [])
})

test('cannot reach other addresses, even when a game navigates there', {
  skip: withoutChromium,
}, async () => {
  const asked: string[] = []
  const outside = createServer((request) => asked.push(String(request.url)))
  outside.listen(0, '127.0.0.1')
  await once(outside, 'listening')
  after(() => outside.close())
  const { port } = outside.address() as AddressInfo
  const config = { searchPath: process.env['PATH'] ?? '', log: pino({ level: 'silent' }) }
  const browser = await findBrowser(CHROMIUM, config)
  assert.ok(browser)
  const origin = app.deps.games.origin('')
  const errors = await withBrowser(browser, origin, AbortSignal.timeout(30_000), async (tools) => {
    await tools.openPage()
    const go = async (url: string) => (await tools.send('Page.navigate', { url }))['errorText']
    return {
      own: await go(`${origin}/players/wasm.js`),
      port: await go(`http://127.0.0.1:${port}/`),
      name: await go(`http://localhost:${port}/`),
      address: await go(`http://[::1]:${port}/`),
      secure: await go(`https://127.0.0.1:${port}/`),
    }
  })
  const { own, ...others } = errors ?? {}
  assert.equal(own, undefined)
  for (const [name, error] of Object.entries(others)) assert.match(String(error), /ERR_/, name)
  assert.deepEqual(asked, [])
})

test('stops the browser and returns the job to the queue when the server stops', {
  skip: withoutChromium,
}, async () => {
  const ending = await startApp({ CHROMIUM: CHROMIUM ?? 'off' })
  const author = await ending.user()
  const game = await makePageGame(author)
  const statusOf = async () =>
    dataOf(await author.get(`/contents/${game.id}/thumbnail-job`)).job.status
  while ((await statusOf()) !== 'processing') await new Promise((done) => setTimeout(done, 50))
  await new Promise((done) => setTimeout(done, 1500))
  const sibling = ENGINE === 'postgres' ? await ending.sibling() : undefined
  await sibling?.deps.worker.close()
  const start = performance.now()
  await ending.close()
  assert.ok(performance.now() - start < 4000)
  const [job] = (await sibling?.sql('select status, attempts from jobs')) ?? []
  if (job) assert.deepEqual([job['status'], Number(job['attempts'])], ['queued', 0])
})

test('kills a browser that ignores a request to close, and allows it a single port', async () => {
  const command = join(folder, 'deaf-browser')
  const said = join(folder, 'arguments')
  writeFileSync(said, '')
  chmodSync(said, 0o666)
  writeFileSync(
    command,
    `#!/bin/sh\necho "$@" > '${said}'\nprintf '{"id":1,"result":{}}\\0' >&4\nexec sleep 600\n`,
    { mode: 0o755 },
  )
  const browser = { command, searchPath: process.env['PATH'] ?? '', isSandboxed: undefined }
  for (const [origin, host] of [
    ['http://games.example', 'games.example:80'],
    ['https://games.example', 'games.example:443'],
    ['http://127.0.0.1:3001', '127.0.0.1:3001'],
  ] as const) {
    const use = async () => 'used'
    const result = withBrowser(browser, origin, AbortSignal.timeout(30_000), use)
    assert.equal(await Promise.race([result, sleep(20_000, 'late', { ref: false })]), 'used')
    assert.ok(readFileSync(said, 'utf8').includes(`--proxy-bypass-list=<-loopback>;${host} `))
  }
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('plaza-browser-')),
    [],
  )
})

test('makes a thumbnail without a browser when none is installed', async () => {
  const without = await startApp({ CHROMIUM: '/nowhere/chromium' })
  const author = await without.user()
  const content = await makeContent(author, { category: 'jump', type: 'game' })
  assert.equal(dataOf(await author.get(`/contents/${content.id}/thumbnail-job`)).job.status, 'none')
  const game = await makePageGame(author)
  const statusOf = async () =>
    dataOf(await author.get(`/contents/${game.id}/thumbnail-job`)).job.status
  await until(async () => (await statusOf()) === 'completed', 'the thumbnail')
})

test("makes the thumbnail of a simple game before another author's games that keep the processor busy", {
  skip: withoutChromium,
}, async () => {
  const otherCreator = await app.user()
  const page = '<!doctype html><script>setTimeout(() => { for (;;); }, 900)</script>'
  const restless = [0, 1, 2, 3].map(() => makePageGame(otherCreator, { 'index.html': page }))
  const games = await Promise.all(restless)
  const simple = await makePageGame(creator)
  const statusOf = async (author: typeof creator, { id }: Loose): Promise<string> =>
    dataOf(await author.get(`/contents/${id}/thumbnail-job`)).job.status
  while ((await statusOf(creator, simple)) !== 'completed') await sleep(100)
  const statuses = await Promise.all(games.map((game) => statusOf(otherCreator, game)))
  assert.ok(statuses.filter((status) => status !== 'completed').length >= 2, statuses.join())
})
