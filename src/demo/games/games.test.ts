/** Tests the demo games: the WebAssembly module in Node, and all three in a browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { ENGINE, startApp } from '../../../test/app.ts'
import { openBrowser, withoutChromium } from '../../../test/chromium.ts'
import { dataOf } from '../../../test/make.ts'
import { ask, makeGameOf } from '../../../test/playing.ts'
import { WASM_IMPORTS } from '../../bundles/wasm-contract.ts'
import { GAMES } from './games.ts'
import { assembleStarfall } from './starfall.ts'

// Browser types are not loaded here, so this declares the parts of the global that are used.
declare const WebAssembly: {
  instantiate(
    bytes: Buffer,
    imports: unknown,
  ): Promise<{
    instance: {
      exports: { memory: { buffer: ArrayBuffer }; init(): void; frame(now: number): void }
    }
  }>
}

/** Starts Starfall with a simulated host. */
async function startStarfall() {
  const host = { keys: new Set<number>(), shown: 0, tones: 0, size: [0, 0] }
  const chance = [0.1, 0.9, 0.4, 0.6, 0.2, 0.8, 0.5]
  let at = 0
  const own: Record<string, unknown> = {
    size: (...size: number[]) => (host.size = size),
    present: (address: number) => (host.shown = address),
    key: (code: number) => (host.keys.has(code) ? 1 : 0),
    random: () => chance[at++ % chance.length],
    tone: () => host.tones++,
  }
  const plaza = Object.fromEntries(
    WASM_IMPORTS.map(({ name }) => [name, own[name] ?? (() => 0)] as const),
  )
  const { instance } = await WebAssembly.instantiate(assembleStarfall(), { plaza })
  instance.exports.init()
  const play = (frames: number) => {
    for (let i = 0; i < frames; i++) instance.exports.frame(i * 16)
  }
  const picture = () => {
    const [width = 0, height = 0] = host.size
    return Buffer.from(
      instance.exports.memory.buffer.slice(host.shown, host.shown + width * height * 4),
    )
  }
  return { host, play, picture }
}

test('Starfall draws, reacts to keys, ends and restarts', async () => {
  const { host, play, picture } = await startStarfall()
  play(1)
  assert.deepEqual(host.size, [240, 320])
  const first = picture()
  assert.ok(
    first.every((value, i) => i % 4 !== 3 || value === 255),
    'every pixel is opaque',
  )
  const bowl = (pixels: Buffer) => pixels.readUIntBE((296 * 240 + 120) * 4, 3) === 0x6ee7f2
  assert.ok(bowl(first))
  host.keys.add(39)
  play(60)
  assert.ok(!bowl(picture()), 'the bowl moves')
  host.keys.clear()
  // The line above the final score. A star may hide one of its pixels.
  const isOver = () => {
    const pixels = picture()
    return [44, 120, 196].every((x) => pixels.readUIntBE((121 * 240 + x) * 4, 3) === 0xffc857)
  }
  for (let i = 0; i < 400 && !isOver(); i++) play(20)
  assert.ok(isOver(), 'the game ends when all lives are lost')
  assert.ok(host.tones > 2)
  play(40)
  host.keys.add(32)
  play(1)
  host.keys.clear()
  play(1)
  assert.ok(!isOver(), 'the game restarts')
})

/** The database engine makes no difference. */
const skip = withoutChromium || (ENGINE === 'postgres' && 'covered on SQLite')

describe('in a browser', { skip }, async () => {
  const app = await startApp()
  const creator = await app.user()

  test('each demo game draws and reacts to keys', async () => {
    const browser = await openBrowser()
    const user = await browser.newContext({ viewport: { width: 480, height: 360 } })
    for (const game of GAMES) {
      const { id } = await makeGameOf(creator, game.bytes())
      const { launch_url } = dataOf(await ask(creator, id)).play
      const page = await user.newPage()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(String(error)))
      await page.goto(launch_url)
      const look = async () => sharp(await page.screenshot()).stats()
      for (let i = 0; i < 600 && (await look()).entropy < 1; i++) await page.waitForTimeout(100)
      const { entropy } = await look()
      assert.ok(entropy > 1, `${game.texts.en.title} shows ${entropy}`)
      const before = await page.screenshot()
      await page.keyboard.down('ArrowLeft')
      await page.waitForTimeout(300)
      await page.keyboard.up('ArrowLeft')
      assert.notDeepEqual(await page.screenshot(), before)
      assert.deepEqual(problems, [], game.texts.en.title)
      await page.close()
    }
  })
})
