import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { until } from '../../test/receiver.ts'
import { bytesOf, makeVideo, NO_FFMPEG } from '../../test/videos.ts'
import {
  assertSound,
  type Member,
  publishArticle,
  setStage,
  publishFiles,
  settle,
} from './stage.ts'
import { drawing } from '../../test/uploads.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')

  test('a video plays and seeks by keyboard and resumes after a reload', {
    skip: NO_FFMPEG,
  }, async () => {
    const id = await publishVideo(mina, 'The river', { category: 'hype', seconds: 60 })
    const page = await stage.visit(`/contents/${id}`, mina)
    const player = page.getByRole('region', { name: 'Player: The river' })
    const position = player.getByRole('slider', { name: 'Position' })
    const playing = player.getByRole('button', { name: 'Pause' })
    await until(() => position.isEnabled(), 'the video to load')
    await assertSound(page)
    const colour = await player
      .getByRole('button', { name: 'Play' })
      .last()
      .evaluate((button) => getComputedStyle(button).color)
    for (const part of colour.match(/\d+/g) ?? [0]) {
      assert.ok(Number(part) > 200, `${colour} should be readable on black`)
    }
    assert.equal(await timeOf(position), 0)

    await page.keyboard.press('Space')
    await playing.waitFor()
    await until(async () => (await timeOf(position)) > 0.2, 'the video to play')
    await page.keyboard.press('Space')
    await playing.waitFor({ state: 'detached' })
    const start = await timeOf(position)
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) {
      const before = await timeOf(position)
      await page.keyboard.press(key)
      await until(async () => (await timeOf(position)) !== before, `${key} to change the position`)
    }
    const left = await timeOf(position)
    assert.ok(Math.abs(left - start - 15) < 0.1, `from ${start} to ${left}`)
    await page.getByRole('textbox', { name: /comment/i }).pressSequentially('a k l m ')
    assert.ok(Math.abs((await timeOf(position)) - left) < 0.01)
    assert.equal(await playing.count(), 0)

    await page.reload()
    await page.getByText(`Resumed at 0:${Math.floor(left)}`).waitFor()
    assert.equal(Math.floor(await timeOf(position)), Math.floor(left))
    await page.keyboard.press('k')
    await playing.waitFor()
    await until(async () => (await timeOf(position)) > left, 'the video to play')
    await page.getByRole('button', { name: 'Start over' }).click()
    await until(async () => (await timeOf(position)) < left - 10, 'the video to start over')
  })

  test('arrow keys move between slides, and the address names the current one', {
    skip: NO_FFMPEG,
  }, async () => {
    const last = await publishPictures(mina, 'A stone', 3)
    const second = await publishVideo(mina, 'A wave', { category: 'swipe', seconds: 5 })
    const first = await publishVideo(mina, 'A bridge', { category: 'swipe', seconds: 5 })
    const page = await stage.visit('/swipe', mina)
    const reach = (id: string) => page.waitForURL((url) => url.hash === `#${id}`)
    const shown = (title: string) => page.getByRole('article', { name: title })
    await reach(first)
    await until(async () => (await clipOf(shown('A bridge'))).time > 0, 'the first to play')
    assert.ok((await clipOf(shown('A bridge'))).muted, 'the sound should be off at first')
    await assertSound(page)
    await page.keyboard.press('ArrowDown')
    await reach(second)
    await until(async () => (await clipOf(shown('A wave'))).time > 0, 'the second to play')
    assert.ok(
      (await clipOf(page.locator('article').first())).isPaused,
      'the first should be paused when out of view',
    )
    await page.keyboard.press('ArrowDown')
    await reach(last)
    await shown('A stone').getByRole('img', { name: 'A stone, 1 of 3' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await shown('A stone').getByText('Page 2 of 3').waitFor()
    await shown('A stone').getByRole('button', { name: 'Next page' }).click()
    await shown('A stone').getByText('Page 3 of 3').waitFor()
    await until(async () => (await pageOf(shown('A stone'))) === 2, 'the last page to be aligned')
    await assertSound(page)
    await page.keyboard.press('ArrowUp')
    await reach(second)
    // Waits for the end of the scroll animation. A click during the animation would make the browser scroll
    // elsewhere.
    await until(async () => Number.isInteger(await screensOf(page)), 'the slide to be aligned')
    await shown('A wave').getByRole('link', { name: 'A wave' }).click()
    await page.getByRole('heading', { level: 1, name: 'A wave' }).waitFor()
    await page.goBack()
    await reach(second)
    await shown('A wave').getByRole('button', { name: 'Pause' }).waitFor()
    await settle(page)
    assert.equal(new URL(page.url()).hash, `#${second}`)
  })

  test('clips do not autoplay with reduced motion', { skip: NO_FFMPEG }, async () => {
    await publishVideo(mina, 'A heron', { category: 'swipe', seconds: 5, clips: 2 })
    const page = await stage.visit('/swipe', undefined, { reducesMotion: true })
    const heron = page.getByRole('article', { name: 'A heron' })
    const [first, second] = [heron.locator('video').first(), heron.locator('video').last()]
    await until(async () => (await stateOf(first)).isReady, 'the clip to load')
    const { isPaused, time } = await stateOf(first)
    assert.deepEqual([isPaused, time], [true, 0])
    await heron.getByRole('button', { name: 'Play' }).first().waitFor()
    await assertSound(page)
    await page.keyboard.press('Space')
    await until(async () => (await stateOf(first)).time > 0, 'the clip to play')
    await page.keyboard.press('ArrowRight')
    await until(async () => (await pageOf(heron)) === 1, 'the other clip to be visible')
    await until(async () => (await stateOf(second)).isReady, 'the other clip to load')
    await until(async () => (await stateOf(first)).isPaused, 'the clip to pause')
    const state = await stateOf(second)
    assert.deepEqual([state.isPaused, state.time], [true, 0])
    await page.keyboard.press('Space')
    await until(async () => (await stateOf(second)).time > 0, 'the other clip to play')
  })

  test('Back from recommendations returns to the same place of a long list', async () => {
    const walks = Array.from({ length: 60 }, (_, index) => `Walk ${index + 1}`)
    for (const title of walks) await publishArticle(mina, title)
    const page = await stage.visit('/hype')
    const deep = page.getByRole('link', { name: 'Walk 8', exact: true })
    await page.getByRole('link', { name: 'Walk 60', exact: true }).waitFor()
    const place = await scrollTo(page, deep)
    const scrolled = await page.evaluate(() => scrollY)
    assert.ok(scrolled > 2000, `scrolled by ${scrolled} px`)
    await deep.click()
    await page.getByRole('heading', { level: 1, name: 'Walk 8' }).waitFor()
    assert.equal(await page.evaluate(() => scrollY), 0)
    await page.getByRole('complementary', { name: 'Recommended' }).getByRole('link').first().click()
    await page.waitForURL((url) => url.pathname.startsWith('/contents/'))
    await page.getByRole('heading', { level: 1, name: /^(?!Walk 8$)/ }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Walk 8' }).waitFor()
    await page.goBack()
    await deep.waitFor()
    await until(
      async () => Math.abs((await topOf(deep)) - place) < 2,
      'the previous scroll position',
    )
  })

  test('new content is announced without moving the list, also on Back', async () => {
    const joon = await stage.member('joon', 'Joon')
    for (let index = 1; index <= 30; index += 1) await publishArticle(joon, `Hill ${index}`)
    const page = await stage.visit('/hype', undefined, { movesTime: true })
    const deep = page.getByRole('link', { name: 'Hill 4', exact: true })
    const late = (name: string) => page.getByRole('link', { name, exact: true })
    await late('Hill 30').waitFor()
    await publishArticle(joon, 'A late one')
    await page.clock.fastForward(61_000)
    const announced = page.getByRole('button', { name: 'Show 1 new work' })
    await announced.waitFor()
    assert.equal(
      await late('A late one').count(),
      0,
      'new content should not be inserted without a click',
    )
    await assertSound(page)
    await announced.click()
    await late('A late one').waitFor()
    await announced.waitFor({ state: 'detached' })

    const place = await scrollTo(page, deep)
    await deep.click()
    await page.getByRole('heading', { level: 1, name: 'Hill 4' }).waitFor()
    for (const name of ['Later 1', 'Later 2', 'Later 3', 'Later 4', 'Later 5']) {
      await publishArticle(joon, name)
    }
    await page.clock.fastForward(61_000)
    await page.goBack()
    await page.getByRole('button', { name: 'Show 5 new works' }).waitFor()
    await until(
      async () => Math.abs((await topOf(deep)) - place) < 2,
      'the previous scroll position',
    )
    assert.equal(await late('Later 5').count(), 0)
    await page.getByRole('link', { name: 'Community', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Community' }).waitFor()
    await page.clock.fastForward(31_000)
    await page.getByRole('link', { name: 'Hype', exact: true }).click()
    await late('Later 5').waitFor()
  })

  test('commenting beside a slide updates the count, Escape keeps the draft, and L likes in any layout', async () => {
    await publishPictures(mina, 'A pebble', 1)
    const page = await stage.visit('/swipe', mina)
    const content = page.getByRole('article', { name: 'A pebble' })
    await content.getByRole('button', { name: 'Comments, 0' }).click()
    const write = page.getByRole('textbox', { name: 'Write a comment' })
    await write.fill('Round')
    await write.press('Escape')
    assert.equal(await write.inputValue(), 'Round')
    await write.press('Control+Enter')
    await content.getByRole('button', { name: 'Comments, 1' }).waitFor()
    await page.getByRole('button', { name: 'Reply to Mina' }).press('Escape')
    await write.waitFor({ state: 'detached' })

    // Dispatches the key event that a Korean keyboard layout or Caps Lock causes. `repeat` simulates a held key.
    const press = (key: string, repeat = false) =>
      page.evaluate((what) => document.body.dispatchEvent(new KeyboardEvent('keydown', what)), {
        key,
        code: 'KeyL',
        repeat,
        bubbles: true,
        cancelable: true,
      })
    const liked = content.getByRole('button', { name: 'Like, 1', pressed: true })
    const set = page.waitForResponse(/\/like$/)
    await press('ㅣ')
    assert.equal((await set).status(), 200)
    await liked.waitFor()
    const unset = page.waitForResponse(/\/like$/)
    await press('L', true)
    await press('L')
    assert.equal((await unset).request().method(), 'DELETE')
    await liked.waitFor({ state: 'detached' })
  })
})

function screensOf(page: Page): Promise<number> {
  return page
    .getByRole('group', { name: 'Swipe works' })
    .evaluate((box) => box.scrollTop / box.clientHeight)
}

function pageOf(content: Locator): Promise<number> {
  return (
    content
      .getByRole('group', { name: /^Pages of/ })
      // Rounds the quotient, because a slide's width can be a fraction of a pixel but the scroll position cannot.
      .evaluate((box) => Number((box.scrollLeft / box.getBoundingClientRect().width).toFixed(2)))
  )
}

async function publishVideo(
  member: Member,
  title: string,
  options: { category: 'hype' | 'swipe'; seconds: number; clips?: number },
): Promise<string> {
  const { category, seconds, clips = 1 } = options
  const size = category === 'swipe' ? '90x160' : '160x90'
  const files = Array.from({ length: clips }, () => bytesOf(makeVideo({ seconds, size })))
  return (await publishFiles(member, title, files, { category, type: 'video' })).id
}

async function publishPictures(member: Member, title: string, count: number): Promise<string> {
  const drawn = Array.from({ length: count }, () => drawing(90, 160).png().toBuffer())
  return (await publishFiles(member, title, await Promise.all(drawn), { category: 'swipe' })).id
}

async function timeOf(position: Locator): Promise<number> {
  return Number(await position.getAttribute('aria-valuenow'))
}

function clipOf(content: Locator) {
  return stateOf(content.locator('video'))
}

function stateOf(clip: Locator) {
  return clip.evaluate((video: HTMLVideoElement) => ({
    isPaused: video.paused,
    isReady: video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA,
    muted: video.muted,
    time: video.currentTime,
  }))
}

/** Scrolls down to a link. Returns the link's distance from the top of the window in pixels. */
async function scrollTo(page: Page, deep: Locator): Promise<number> {
  await page.mouse.move(700, 400)
  await until(async () => {
    if (await deep.isVisible()) return true
    await page.mouse.wheel(0, 1500)
    return false
  }, 'the link to appear')
  await deep.scrollIntoViewIfNeeded()
  return topOf(deep)
}

async function topOf(seen: Locator): Promise<number> {
  return (await seen.boundingBox())?.y ?? Number.NaN
}
