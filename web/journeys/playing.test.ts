/** Players: every kind of game starts where it stands, in its sandbox, takes the keyboard and the whole screen. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ElementHandle, Page } from 'playwright-core'
import sharp from 'sharp'
import { withoutChromium } from '../../test/chromium.ts'
import { makeFilm } from '../../test/flash.ts'
import { makeModule, zipOf } from '../../test/playing.ts'
import { assertSound, type Member, setStage } from './stage.ts'

/** The player of Flash films is a large program. */
const SLOW_MS = 45_000
const FILM = { width: 550, height: 400 }
/** Red, or green while the right arrow is held. */
const PAGE = `<!doctype html><title>Lights</title><style>html { background: #d03030 }</style><script>
const show = (colour) => { document.documentElement.style.background = colour }
addEventListener('keydown', ({ key }) => key === 'ArrowRight' && show('#30d030'))
addEventListener('keyup', () => show('#d03030'))
</script>`

const middle = ({ width, height }: Size) => ({ x: width / 2, y: height / 2 })
/** Where the film's yellow box is at first: near its corner, the film being as large as fits. */
const nearCorner = ({ width, height }: Size) => {
  const scale = Math.min(width / FILM.width, height / FILM.height)
  return {
    x: (width - FILM.width * scale) / 2 + 30 * scale,
    y: (height - FILM.height * scale) / 2 + 40 * scale,
  }
}

const KINDS = [
  {
    kind: 'An HTML5 game',
    title: 'Lights',
    name: 'lights.zip',
    bytes: () => zipOf({ 'index.html': PAGE }),
    place: middle,
    colours: ['red', 'green'],
  },
  {
    kind: 'A WebAssembly game',
    title: 'Stripes',
    name: 'stripes.wasm',
    bytes: () => makeModule(),
    place: middle,
    colours: ['red', 'green'],
  },
  {
    kind: 'A Flash game',
    title: 'The box',
    name: 'box.swf',
    bytes: () => makeFilm(),
    place: nearCorner,
    colours: ['yellow', 'blue'],
  },
] as const

/** Tells its colour how threads fare: green where memory can be shared. */
const THREADS = `<!doctype html><script>
const isShared = crossOriginIsolated && new SharedArrayBuffer(8).byteLength === 8
document.documentElement.style.background = isShared ? '#30d030' : '#d03030'
</script>`

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const creator = await stage.member('mina', 'Mina')
  const player = await stage.member('joon', 'Joon')

  for (const { kind, title, name, bytes, place, colours } of KINDS) {
    const [atFirst, whileHeld] = colours

    test(`${kind} starts from the shelf and from its page, and is played in its sandbox`, async () => {
      const id = await publish(creator, { title, name, bytes: await bytes() })
      const page = await stage.visit('/jump', player)
      await page.getByRole('article').getByRole('link', { name: title }).first().click()
      await page.getByRole('button', { name: `Play ${title}` }).waitFor()
      assert.equal(new URL(page.url()).pathname, `/contents/${id}`)
      await assertSound(page)
      assert.equal(await playsOf(player, id), 0)

      const game = await start(page, title)
      await untilSeen(page, game, place, atFirst)
      await page.getByText('Your keyboard is with the game.').waitFor()
      await page.keyboard.down('ArrowRight')
      await untilSeen(page, game, place, whileHeld)
      await page.keyboard.up('ArrowRight')
      assert.equal(await playsOf(player, id), 1)
      await page.getByText('1 play', { exact: true }).waitFor()
      await assertSound(page)

      await page.goto(`${stage.app.url}/contents/${id}`)
      await untilSeen(page, await start(page, title), place, atFirst)
      assert.equal(await playsOf(player, id), 2)
    })
  }

  test('a game shares memory between threads on the page of the site', async () => {
    const bytes = await zipOf({ 'index.html': THREADS })
    const id = await publish(creator, { title: 'Threads', name: 'threads.zip', bytes })
    const page = await stage.visit(`/contents/${id}`, player)
    await untilSeen(page, await start(page, 'Threads'), middle, 'green')
    await assertSound(page)
  })

  test('a Flash game is loading until its first frame, and its stage is dark until then', async () => {
    const bytes = makeFilm()
    const id = await publish(creator, { title: 'Slow box', name: 'box.swf', bytes })
    const page = await stage.visit(`/contents/${id}`, player, { theme: 'dark' })
    let release = () => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    await page.route('**/play/*/file', async (route) => {
      await held
      await route.continue()
    })
    const game = await start(page, 'Slow box')
    await (await game.contentFrame())?.waitForSelector('ruffle-player', { state: 'attached' })
    await page.getByText('The game is loading').waitFor()
    const { width = 0, height = 0, x = 0, y = 0 } = (await game.boundingBox()) ?? {}
    const clip = { x: x + width / 2, y: y + height - 10, width: 1, height: 1 }
    const pixels = await sharp(await page.screenshot({ clip }))
      .removeAlpha()
      .raw()
      .toBuffer()
    assert.ok(Math.max(...pixels) < 60, `the stage is ${[...pixels].join()}`)
    release()
    await page.getByText('The game is loading').waitFor({ state: 'detached' })
    await untilSeen(page, game, nearCorner, 'yellow')
  })

  test('the page stays where it is while keys go to the game', async () => {
    const bytes = await zipOf({ 'index.html': '<!doctype html><p>Nothing hears keys here' })
    const id = await publish(creator, { title: 'Still', name: 'still.zip', bytes })
    const page = await stage.visit(`/contents/${id}`, player, { height: 600 })
    await start(page, 'Still')
    await page.getByText('Your keyboard is with the game.').waitFor()
    const before = await page.evaluate(() => scrollY)
    for (const key of ['ArrowDown', 'PageDown', 'Space', 'End', 'ArrowUp', 'PageUp', 'Home']) {
      await page.keyboard.press(key)
      await page.waitForTimeout(200)
      assert.equal(await page.evaluate(() => scrollY), before, key)
    }
    await assertSound(page)
  })

  test('an author is warned of paths that lead nowhere, and chooses the start page', async () => {
    const buffer = await zipOf({
      'index.html': '<!doctype html><script src="/game.js"></script>',
      'arcade.html': PAGE,
    })
    const page = await stage.visit('/publish', creator)
    const archive = { name: 'arcade.zip', mimeType: 'application/zip', buffer }
    await page.locator('input[type=file]').first().setInputFiles(archive)
    await page.getByText('/game.js in index.html').waitFor()
    await page.getByLabel('Start page').selectOption('arcade.html')
    await page.getByLabel('Title').fill('Arcade')
    await assertSound(page)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.waitForURL('**/publish/cnt_*')
    await page.goto(page.url().replace('/publish/', '/contents/'))
    await untilSeen(page, await start(page, 'Arcade'), middle, 'red')
  })

  test('a game fills the screen and comes back, goes on meanwhile, and keeps the keyboard', async () => {
    const [{ name, bytes, place }] = KINDS
    const id = await publish(creator, { title: 'Night lights', name, bytes: await bytes() })
    const page = await stage.visit(`/contents/${id}`, player)
    const game = await start(page, 'Night lights')
    const inside = await game.contentFrame()
    assert.ok(inside)
    await inside.evaluate('window.isStill = true')
    const holdsKey = async () => {
      await page.keyboard.down('ArrowRight')
      await untilSeen(page, game, place, 'green')
      await page.keyboard.up('ArrowRight')
      await untilSeen(page, game, place, 'red')
    }
    await page.getByRole('button', { name: 'Full screen' }).click()
    const leave = page.getByRole('button', { name: 'Leave full screen' })
    await leave.waitFor()
    const { width = 0, height = 0 } = (await game.boundingBox()) ?? {}
    assert.deepEqual([width, height], [1280, 800])
    await holdsKey()
    await leave.click()
    await leave.waitFor({ state: 'detached' })
    await holdsKey()
    assert.equal(await inside.evaluate('window.isStill'), true, 'the game began anew')
    assert.equal(await playsOf(player, id), 1)
    await page.getByRole('button', { name: 'Start over' }).click()
    await game.waitForElementState('hidden')
    const again = await start(page)
    await untilSeen(page, again, place, 'red')
    assert.equal(
      await again.contentFrame().then((frame) => frame?.evaluate('window.isStill')),
      undefined,
    )
    assert.equal(await playsOf(player, id), 1)
  })
})

interface Size {
  width: number
  height: number
}

async function publish(
  { plaza }: Member,
  { title, name, bytes }: { title: string; name: string; bytes: Buffer },
): Promise<string> {
  const { id } = await plaza.upload(new File([new Uint8Array(bytes)], name))
  const { content } = await plaza.createContent({
    category: 'jump',
    type: 'game',
    title,
    upload_ids: [id],
  })
  return content.id
}

async function playsOf({ plaza }: Member, id: string): Promise<number> {
  return (await plaza.readGame({ id })).game.play_count
}

/** Presses play where a title is given; gives the frame, which is another origin's and can do no more than play. */
async function start(page: Page, title?: string): Promise<ElementHandle> {
  if (title) await page.getByRole('button', { name: `Play ${title}` }).click()
  const frame = await page.waitForSelector('iframe')
  const [sandbox, src] = await frame.evaluate((of: HTMLIFrameElement) => [of.sandbox.value, of.src])
  assert.equal(sandbox, 'allow-scripts allow-pointer-lock allow-orientation-lock')
  assert.notEqual(new URL(src ?? '').origin, new URL(page.url()).origin)
  return frame
}

/** Waits until the player sees this colour at a place of the game. */
async function untilSeen(
  page: Page,
  game: ElementHandle,
  place: (size: Size) => { x: number; y: number },
  colour: string,
): Promise<void> {
  const isSeen = async () => {
    const box = await game.boundingBox()
    if (!box) return false
    const { x, y } = place(box)
    const clip = { x: box.x + x, y: box.y + y, width: 1, height: 1 }
    const { data } = await sharp(await page.screenshot({ clip }))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return nameOf([...data]) === colour
  }
  const deadline = Date.now() + SLOW_MS
  while (!(await isSeen())) assert.ok(Date.now() < deadline, `no ${colour} is seen in the game`)
}

function nameOf([red = 0, green = 0, blue = 0]: number[]): string {
  if (red > 200 && green > 150 && blue < 100) return 'yellow'
  if (red > 150 && green < 100) return 'red'
  if (green > 150 && red < 100) return 'green'
  return blue > 120 && red < 100 ? 'blue' : 'other'
}
