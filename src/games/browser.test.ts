import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import sharp from 'sharp'
import { type Loose, startApp } from '../../test/app.ts'
import { openBrowser, withoutChromium } from '../../test/chromium.ts'
import { dataOf } from '../../test/make.ts'
import { ask, makeFlashGame, makeModuleGame, makePageGame } from '../../test/playing.ts'
import { CAGE, TOOLBOX, WAV } from '../../test/browser-games.ts'
import { until } from '../../test/receiver.ts'

const app = await startApp()
const creator = await app.user()
const player = await app.user()

/** Requests that `client` received, except those for its page and icon. Games must not send any. */
const asked: string[] = []
/**
 * Serves a page that embeds a game as the web client does. The page keeps the game's saves in `localStorage`. The
 * session cookie and the token are secrets that the game must not reach.
 */
const client = createServer((request, response) => {
  if (!/^\/(client|favicon)/.test(request.url ?? '')) asked.push(`${request.method} ${request.url}`)
  response.writeHead(200, {
    'content-type': 'text/html',
    'content-security-policy': `frame-src ${app.deps.games.origin('')}`,
    'set-cookie': 'session=secret',
    'access-control-allow-origin': request.headers.origin ?? '*',
    'access-control-allow-credentials': 'true',
  })
  response.end(`<!doctype html><title>Client</title><body>
<script>
localStorage.token = 'secret'
const frame = Object.assign(document.createElement('iframe'), { id: 'game', width: 640, height: 480, allow: 'fullscreen; gamepad' })
const { searchParams } = new URL(location)
const key = 'saves ' + searchParams.get('game')
frame.name = localStorage.getItem(key) ?? ''
addEventListener('message', ({ source, data }) => {
  if (source === frame.contentWindow) localStorage.setItem(key, data.saves)
})
frame.addEventListener('load', () => frame.contentWindow.focus())
document.body.append(frame)
frame.src = searchParams.get('launch')
</script>`)
})
client.listen(0, '127.0.0.1')
await once(client, 'listening')
after(() => client.close())
const outside = `http://127.0.0.1:${(client.address() as AddressInfo).port}`

async function open(user: BrowserContext, game: Loose): Promise<{ page: Page; inside: Frame }> {
  const page = await user.newPage()
  const { launch_url } = dataOf(await ask(player, game.id)).play
  const query = new URLSearchParams({ launch: launch_url, game: game.id })
  await page.goto(`${outside}/client?${query.toString()}`)
  const frame = page.frameLocator('#game').locator('body')
  await frame.waitFor({ state: 'attached' })
  const inside = await (await frame.elementHandle())?.ownerFrame()
  assert.ok(inside)
  return { page, inside }
}

async function reportOf(inside: Frame): Promise<Record<string, unknown>> {
  // `evaluate` fails during a reload, when the frame has no document.
  let report: Record<string, unknown> | undefined
  await until(async () => {
    report = await inside.evaluate<typeof report>('window.report').catch(() => undefined)
    return report !== undefined
  })
  return report as unknown as Record<string, unknown>
}

const colourAt = (inside: Frame): Promise<number[] | undefined> =>
  inside.evaluate(
    `[...document.querySelector('canvas')?.getContext('2d').getImageData(9, 9, 1, 1).data ?? []]`,
  )

const CORNER = { left: 30, top: 50, width: 1, height: 1 }

describe('games in a browser', { skip: withoutChromium }, async () => {
  const browser = withoutChromium ? (undefined as never) : await openBrowser()
  const newUser = () => browser.newContext({ viewport: { width: 700, height: 520 } })
  const user = withoutChromium ? (undefined as never) : await newUser()

  test('an HTML5 game uses its files, workers, sounds, pictures, saves and keys', async () => {
    const files = {
      'index.html': `<!doctype html><script>window.size = [innerWidth, innerHeight]</script><canvas width="64" height="64"></canvas><script type="module" src="main.js"></script>`,
      'main.js': TOOLBOX,
      'more.js': 'export const answer = 42',
      'level.json': '{"name":"one"}',
      'worker.js': `importScripts('./part.js'); fetch('level.json').then((a) => a.json()).then(({ name }) => postMessage(name + part))`,
      'part.js': `self.part = ' part'`,
      'sound.wav': WAV,
      'picture.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#f00"/></svg>',
    }
    const game = await makePageGame(creator, files)
    const { page, inside } = await open(user, game)
    const { best, ...report } = await reportOf(inside)
    assert.deepEqual(report, {
      size: [640, 480],
      module: 42,
      level: 'one',
      worker: 'one part',
      blobWorker: 'from a blob',
      sound: 'ready',
      decoded: true,
      picture: [255, 0, 0, 255],
      wasm: true,
      names: ['best', 'other'],
    })
    assert.equal(best, null)
    await page.keyboard.press('g')
    await until(async () => (await colourAt(inside))?.join() === '0,255,0,255')
    const again = await open(user, game)
    assert.equal((await reportOf(again.inside))['best'], '7')
    const otherGame = await open(user, await makePageGame(creator, files))
    assert.equal((await reportOf(otherGame.inside))['best'], null)
    await inside.evaluate('location.reload()')
    await until(async () => (await reportOf(inside))['best'] === '7')
    await Promise.all([page.close(), again.page.close(), otherGame.page.close()])
  })

  test('a game reaches no page, storage, network or other game outside its sandbox', async () => {
    const foreignGame = await makePageGame(creator)
    const { launch_url } = dataOf(await ask(player, foreignGame.id)).play
    const game = await makePageGame(creator, {
      'index.html': '<!doctype html><script src="cage.js"></script>',
      'cage.js': `const OUTSIDE = ${JSON.stringify(outside)}; const API = ${JSON.stringify(app.url)}; const OTHER = ${JSON.stringify(foreignGame.id)};${CAGE}`,
    })
    asked.length = 0
    const { page, inside } = await open(await newUser(), game)
    const { otherGame, ...report } = await reportOf(inside)
    for (const [name, outcome] of Object.entries(report)) {
      assert.match(String(outcome), /^refused/, name)
    }
    assert.equal(otherGame, 403)
    await inside.evaluate(`setTimeout(() => { location.href = '${outside}/led-away' })`)
    await page.waitForTimeout(500)
    assert.deepEqual(asked, [])
    assert.equal(page.url().startsWith(`${outside}/client`), true)
    assert.equal(page.context().pages().length, 1)
    assert.equal((await fetch(launch_url)).status, 200)
    await page.close()
  })

  test('a WebAssembly game draws on its canvas and reacts to a key', async () => {
    const { page, inside } = await open(user, await makeModuleGame(creator))
    await until(async () => (await colourAt(inside))?.[0] === 208)
    await page.keyboard.down('ArrowRight')
    await until(async () => (await colourAt(inside))?.[1] === 208)
    await page.close()
  })

  test('a Flash game plays in Ruffle and reacts to a key', async () => {
    const { page } = await open(user, await makeFlashGame(creator))
    // The film starts with a yellow box in the corner of a blue picture. The box then moves away.
    await until(async () => (await cornerOf(page)) === 'yellow')
    await page.keyboard.down('ArrowRight')
    await until(async () => (await cornerOf(page)) === 'blue')
    await page.close()
  })
})

async function cornerOf(page: Page): Promise<'yellow' | 'blue' | 'other'> {
  const picture = sharp(await page.locator('#game').screenshot())
    .extract(CORNER)
    .removeAlpha()
  const { data } = await picture.raw().toBuffer({ resolveWithObject: true })
  const [red = 0, green = 0, blue = 0] = data
  if (red > 200 && green > 150 && blue < 100) return 'yellow'
  return red < 100 && blue > 120 ? 'blue' : 'other'
}
