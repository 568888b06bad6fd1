import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { withoutChromium } from '../../test/chromium.ts'
import { makeFilm } from '../../test/flash.ts'
import { zipOf } from '../../test/playing.ts'
import { middle, nearCorner, PAGE, publish, start, untilSeen } from './games.ts'
import { assertSound, setStage } from './stage.ts'

const THREADS = `<!doctype html><script>
const isShared = crossOriginIsolated && new SharedArrayBuffer(8).byteLength === 8
document.documentElement.style.background = isShared ? '#30d030' : '#d03030'
</script>`

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const creator = await stage.member('mina', 'Mina')
  const player = await stage.member('joon', 'Joon')

  test('a game can share memory between threads', async () => {
    const bytes = await zipOf({ 'index.html': THREADS })
    const id = await publish(creator, { title: 'Threads', bytes })
    const page = await stage.visit(`/contents/${id}`, player)
    await untilSeen(page, await start(page, 'Threads'), middle, 'green')
    await assertSound(page)
  })

  test('a Flash game shows a dark loading state until its first frame', async () => {
    const bytes = makeFilm()
    const id = await publish(creator, { title: 'Slow box', bytes })
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
    await page.getByText('Loading the game').waitFor()
    const { width = 0, height = 0, x = 0, y = 0 } = (await game.boundingBox()) ?? {}
    const clip = { x: x + width / 2, y: y + height - 10, width: 1, height: 1 }
    const pixels = await sharp(await page.screenshot({ clip }))
      .removeAlpha()
      .raw()
      .toBuffer()
    assert.ok(Math.max(...pixels) < 60, `the stage is ${[...pixels].join()}`)
    release()
    await page.getByText('Loading the game').waitFor({ state: 'detached' })
    await untilSeen(page, game, nearCorner, 'yellow')
  })

  test('the page does not scroll while the game receives the keys', async () => {
    const bytes = await zipOf({ 'index.html': '<!doctype html><p>Nothing hears keys here' })
    const id = await publish(creator, { title: 'Still', bytes })
    const page = await stage.visit(`/contents/${id}`, player, { height: 600 })
    await start(page, 'Still')
    await page.getByText('The game has your keyboard.').waitFor()
    const before = await page.evaluate(() => scrollY)
    for (const key of ['ArrowDown', 'PageDown', 'Space', 'End', 'ArrowUp', 'PageUp', 'Home']) {
      await page.keyboard.press(key)
      await page.waitForTimeout(200)
      assert.equal(await page.evaluate(() => scrollY), before, key)
    }
    await assertSound(page)
  })

  test('an author is warned about broken paths and can choose the start page', async () => {
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
})
