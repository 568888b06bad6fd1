import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { zipOf } from '../../test/playing.ts'
import { until } from '../../test/receiver.ts'
import { makeWav } from '../../test/uploads.ts'
import { bytesOf, makeVideo, NO_FFMPEG } from '../../test/videos.ts'
import { middle, PAGE, publish, start, untilSeen } from './games.ts'
import { assertFits, assertSound, setStage, publishFiles } from './stage.ts'

const PHONE = { width: 390, height: 844 }

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')

  test('the next video starts after a countdown, unless the viewer types, cancels or switches it off', {
    skip: NO_FFMPEG,
  }, async () => {
    const { id: first } = await publishFiles(mina, 'The first', [makeClip(1)], { type: 'video' })
    const { id: second } = await publishFiles(mina, 'The second', [makeClip(1)], { type: 'video' })
    const page = await stage.visit(`/contents/${first}`, mina, { movesTime: true })
    const card = page.getByRole('region', { name: 'Up next' })
    const cancel = card.getByRole('button', { name: 'Cancel' })
    await play(page, 'The first')
    await card.getByText('The second').waitFor()
    await assertSound(page)
    const write = page.getByRole('textbox', { name: 'Write a comment' })
    await write.fill('Wait')
    await page.clock.runFor(15_000)
    assert.equal(new URL(page.url()).pathname, `/contents/${first}`)
    await write.blur()
    await page.clock.runFor(9000)
    await page.waitForURL(`**/contents/${second}`)
    await page.getByRole('heading', { level: 1, name: 'The second' }).waitFor()
    const video = page.locator('video')
    await until(
      () => video.evaluate((element: HTMLVideoElement) => element.ended),
      'the second video to play to its end by itself',
    )
    await page.getByRole('button', { name: 'Replay' }).waitFor()
    assert.equal(await card.count(), 0, 'there is no video left to play')

    await page.reload()
    await play(page, 'The second')
    await cancel.click()
    await page.clock.runFor(15_000)
    assert.equal(new URL(page.url()).pathname, `/contents/${second}`)
    await card.getByRole('button', { name: 'Play now' }).waitFor()

    await page.getByRole('button', { name: 'Settings' }).click()
    const autoplay = page.getByRole('menuitemcheckbox', { name: 'Autoplay next video' })
    assert.equal(await autoplay.getAttribute('aria-checked'), 'true')
    await autoplay.click()
    await page.reload()
    await play(page, 'The second')
    await card.waitFor()
    assert.equal(await cancel.count(), 0)
    await card.getByRole('button', { name: 'Play now' }).click()
    await page.waitForURL(`**/contents/${first}`)

    const calm = await stage.visit(`/contents/${first}`, mina, { reducesMotion: true })
    await play(calm, 'The first')
    const quiet = calm.getByRole('region', { name: 'Up next' })
    await quiet.waitFor()
    assert.equal(await quiet.getByRole('button', { name: 'Cancel' }).count(), 0)
  })

  test('the bar fades during playback, and its menu changes speed and quality', {
    skip: NO_FFMPEG,
  }, async () => {
    const { id } = await publishFiles(mina, 'The river', [makeClip(60)], { type: 'video' })
    const page = await stage.visit('/sign-in')
    await page.route('**/conversion', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { conversion: { renditions: unknown[] } } }
      const { content } = await mina.plaza.contents.get(id)
      body.data.conversion.renditions = [180, 90].map((height) => ({
        url: `${content.media[0]?.url}#${height}`,
        mime_type: 'video/mp4',
        width: height * 2,
        height,
      }))
      await route.fulfill({ response: answer, json: body })
    })
    await page.goto(`${stage.app.url}/contents/${id}`)
    const player = page.getByRole('region', { name: 'Player: The river' })
    const video = player.locator('video')
    const bar = player.locator('[data-interactive]')
    const opacity = () => bar.evaluate((element) => Number(getComputedStyle(element).opacity))
    const hasFaded = (wanted: number) => until(async () => (await opacity()) === wanted, 'the bar')
    const { x, y } = await placeOf(player)
    await play(page, 'The river')
    await page.mouse.move(x + 200, y + 100)
    await hasFaded(0)
    await page.mouse.move(x + 220, y + 120)
    await hasFaded(1)

    const gear = player.getByRole('button', { name: 'Settings' })
    await gear.click()
    await page.getByRole('menuitem', { name: 'Speed 1×' }).click()
    await page.waitForTimeout(2500)
    assert.equal(await opacity(), 1, 'an open menu keeps the bar')
    await assertSound(page)
    await page.getByRole('menuitemradio', { name: '1.5×' }).click()
    assert.equal(await video.evaluate((element: HTMLVideoElement) => element.playbackRate), 1.5)
    await page.getByRole('menuitem', { name: 'Quality 180p' }).press('Enter')
    await page.getByRole('menuitemradio', { name: '90p' }).press('Enter')
    await until(
      () => video.evaluate((element: HTMLVideoElement) => element.currentSrc.endsWith('#90')),
      'the other quality to load',
    )
    await until(
      () => video.evaluate((element: HTMLVideoElement) => !element.paused),
      'the video to continue',
    )
    assert.equal(await video.evaluate((element: HTMLVideoElement) => element.playbackRate), 1.5)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    assert.ok(await gear.evaluate((button) => button === document.activeElement))

    const volume = player.getByRole('slider', { name: 'Volume' })
    assert.equal(await volume.count(), 0)
    await player.getByRole('button', { name: 'Mute' }).hover()
    await volume.waitFor()
    await page.keyboard.press('k')
    await page.mouse.move(x + 200, y + 100)
    await page.waitForTimeout(2500)
    assert.equal(await opacity(), 1, 'a paused video keeps the bar')

    const { width } = await placeOf(player)
    await page.keyboard.press('t')
    await until(async () => (await placeOf(player)).width > width + 100, 'the theatre')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Theatre').waitFor()
    await assertSound(page)
  })

  test('on a phone a tap shows the bar, and a tap in the middle pauses', {
    skip: NO_FFMPEG,
  }, async () => {
    const { id } = await publishFiles(mina, 'The sea', [makeClip(60)], { type: 'video' })
    const page = await stage.visit(`/contents/${id}`, undefined, { ...PHONE, isTouch: true })
    const player = page.getByRole('region', { name: 'Player: The sea' })
    const pause = player.getByRole('button', { name: 'Pause' })
    await player.getByRole('button', { name: 'Play' }).first().tap()
    await pause.first().waitFor()
    await until(async () => (await pause.count()) === 1, 'the button in the middle to disappear')
    const { x, y } = await placeOf(player)
    await page.touchscreen.tap(x + 40, y + 40)
    await until(async () => (await pause.count()) === 2, 'the button in the middle')
    const sizes = await player.getByRole('button').evaluateAll((buttons) =>
      buttons.map((button) => {
        const { width, height } = button.getBoundingClientRect()
        return Math.min(width, height)
      }),
    )
    assert.ok(Math.min(...sizes) >= 44, `targets of ${sizes.join(', ')} px`)
    await pause.first().tap()
    assert.ok(await player.locator('video').evaluate((video: HTMLVideoElement) => video.paused))
    await assertSound(page)
  })

  test('a sound shows its waveform, and the keyboard moves in it, in both themes and on a phone', async () => {
    const { id } = await publishFiles(mina, 'Rain', [makeWav(20)], { type: 'audio' })
    for (const look of [{ theme: 'light' }, { ...PHONE, theme: 'dark' }] as const) {
      const page = await stage.visit(`/contents/${id}`, undefined, look)
      const player = page.getByRole('region', { name: 'Player: Rain' })
      const { height } = await placeOf(player)
      await player.locator('[data-waveform]').waitFor()
      assert.equal((await placeOf(player)).height, height, 'the waveform should not move the page')
      assert.ok(height < 200, `${height} px`)
      const position = player.getByRole('slider', { name: 'Position' })
      await until(() => position.isEnabled(), 'the sound to load')
      await position.focus()
      await page.keyboard.press('ArrowRight')
      await until(
        async () => (await position.getAttribute('aria-valuetext')) === '0:05 of 0:20',
        'the position',
      )
      await player.getByText('0:20', { exact: true }).waitFor()
      await assertSound(page)
    }
  })

  test('the stage of a game keeps its size from the first paint, and theatre makes it wider', async () => {
    const bytes = await zipOf({ 'index.html': PAGE })
    const id = await publish(mina, { title: 'Lights', bytes })
    for (const look of [PHONE, { width: 1440, height: 900 }]) {
      const page = await stage.visit(`/contents/${id}`, mina, look)
      const box = page.locator('[data-orientation]')
      const before = await placeOf(box)
      const game = await start(page, 'Lights')
      await untilSeen(page, game, middle, 'red')
      assert.deepEqual(await placeOf(box), before)
      await assertFits(page)
      if (look === PHONE) continue
      await page.getByRole('button', { name: 'Theatre' }).click()
      await until(async () => (await placeOf(box)).width > before.width + 100, 'the theatre')
      await assertFits(page)
    }
  })
})

function makeClip(seconds: number): Buffer {
  return bytesOf(makeVideo({ seconds, size: '160x90' }))
}

async function play(page: Page, title: string): Promise<void> {
  const player = page.getByRole('region', { name: `Player: ${title}` })
  const position = player.getByRole('slider', { name: 'Position' })
  await until(() => position.isEnabled(), 'the video to load')
  await player.getByRole('button', { name: 'Play' }).first().click()
}

async function placeOf(seen: Locator) {
  await seen.waitFor()
  const box = await seen.boundingBox()
  assert.ok(box)
  return box
}
