import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withoutChromium } from '../../test/chromium.ts'
import { makeFilm } from '../../test/flash.ts'
import { makeModule, zipOf } from '../../test/playing.ts'
import { middle, nearCorner, PAGE, playsOf, publish, start, untilSeen } from './games.ts'
import { assertSound, setStage } from './stage.ts'

const KINDS = [
  {
    kind: 'An HTML5 game',
    title: 'Lights',
    bytes: () => zipOf({ 'index.html': PAGE }),
    place: middle,
    colours: ['red', 'green'],
  },
  {
    kind: 'A WebAssembly game',
    title: 'Stripes',
    bytes: () => makeModule(),
    place: middle,
    colours: ['red', 'green'],
  },
  {
    kind: 'A Flash game',
    title: 'The box',
    bytes: () => makeFilm(),
    place: nearCorner,
    colours: ['yellow', 'blue'],
  },
] as const

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const creator = await stage.member('mina', 'Mina')
  const player = await stage.member('joon', 'Joon')

  for (const { kind, title, bytes, place, colours } of KINDS) {
    const [atFirst, whileHeld] = colours

    test(`${kind} starts from the shelf and from its page, inside its sandbox`, async () => {
      const id = await publish(creator, { title, bytes: await bytes() })
      const page = await stage.visit('/jump', player)
      await page.getByRole('article').getByRole('link', { name: title }).first().click()
      await page.getByRole('button', { name: `Play ${title}` }).waitFor()
      assert.equal(new URL(page.url()).pathname, `/contents/${id}`)
      await assertSound(page)
      assert.equal(await playsOf(player, id), 0)

      const game = await start(page, title)
      await untilSeen(page, game, place, atFirst)
      await page.getByText('The game has your keyboard.').waitFor()
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

  test('a game keeps running and keeps the keyboard in and out of full screen', async () => {
    const [{ bytes, place }] = KINDS
    const id = await publish(creator, { title: 'Night lights', bytes: await bytes() })
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
    const leave = page.getByRole('button', { name: 'Exit full screen' })
    await leave.waitFor()
    const { width = 0, height = 0 } = (await game.boundingBox()) ?? {}
    assert.deepEqual([width, height], [1280, 800])
    await holdsKey()
    await leave.click()
    await leave.waitFor({ state: 'detached' })
    await holdsKey()
    assert.equal(await inside.evaluate('window.isStill'), true, 'the game should keep its state')
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
