import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { zipOf } from '../../test/playing.ts'
import { until } from '../../test/receiver.ts'
import { makeWav, drawing } from '../../test/uploads.ts'
import { bytesOf, makeVideo, NO_FFMPEG } from '../../test/videos.ts'
import { PAGE, publish } from './games.ts'
import { type Member, setStage, publishArticle, publishFiles, settle } from './stage.ts'

/** Maximum cumulative layout shift, defined as in web vitals but without session windows. */
const MOST = 0.02
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]

/** Pages that require a session. */
const OWN = ['/publish', '/account', '/notifications', '/messages', '/library', '/devconsole']

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const joon = await stage.member('joon', 'Joon')
  const world = await makeWorld(mina, joon)

  for (const [name, path] of Object.entries({
    home: '/',
    hype: '/hype',
    'a game': `/contents/${world.game}`,
    'an article': `/contents/${world.article}`,
    'a picture': `/contents/${world.picture}`,
    ...(world.video && { 'a video': `/contents/${world.video}` }),
    'a sound': `/contents/${world.sound}`,
    'a creator': '/creators/mina',
    community: '/community',
    'a post': `/posts/${world.post}`,
    'a tag': '/tags/seoul',
    swipe: '/swipe',
    games: '/jump',
    'sign-in': '/sign-in',
    ...Object.fromEntries(OWN.map((own) => [own, own])),
  })) {
    test(`the page of ${name} does not shift while it loads, on a phone and a desktop`, async () => {
      for (const size of SIZES) {
        const viewer = size.width > 1000 || OWN.includes(path) ? joon : undefined
        const page = await stage.visit('/sign-in', viewer, size)
        await observeShifts(page)
        await arriveSlowly(page)
        await page.goto(stage.app.url + path)
        await settle(page)
        await page.locator('[class*="_bone_"]').first().waitFor({ state: 'detached' })
        const { sum, moved } = await shiftsOf(page)
        assert.ok(sum < MOST, `${path} at ${size.width} px shifted by ${sum}: ${moved.join('; ')}`)
        await page.context().close()
      }
    })
  }

  test('the first pictures of the home page load eagerly on a phone, and all reserve their space', async () => {
    const page = await stage.visit('/', undefined, { width: 390, height: 844 })
    await page.getByRole('article').first().waitFor()
    // The lower part of the page loads once the user scrolls near.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.getByRole('heading', { name: 'Latest' }).waitFor()
    const pictures = await page.locator('main article').evaluateAll((cards) =>
      cards
        .map((card) =>
          card.querySelector<HTMLImageElement>('img:not([class*="_avatar_"], [class*="_sides_"])'),
        )
        .filter((picture) => picture !== null)
        .map(({ loading, fetchPriority, width, height, attributes }) => ({
          loading,
          fetchPriority,
          hasRoom: width > 0 && height > 0,
          isSized: 'width' in attributes && 'height' in attributes,
        })),
    )
    assert.ok(pictures.length >= 5)
    for (const { loading, fetchPriority } of pictures.slice(0, 2)) {
      assert.deepEqual([loading, fetchPriority], ['auto', 'high'])
    }
    assert.deepEqual(pictures.at(-1)?.loading, 'lazy')
    assert.ok(pictures.every(({ hasRoom, isSized }) => hasRoom && isSized))
  })

  test('avatars in lists are at most 96 pixels wide', async () => {
    const page = await stage.visit('/', joon)
    for (const path of ['/', '/community', `/posts/${world.post}`, `/contents/${world.game}`]) {
      await page.goto(stage.app.url + path)
      const widths = await avatarWidthsOf(page)
      assert.ok(widths.length > 0, path)
      for (const width of widths) assert.ok(width <= 96, `${path}: ${width} px`)
    }
  })
})

/** Pixel widths of the loaded avatars in `main`. */
async function avatarWidthsOf(page: Page): Promise<number[]> {
  const avatars = page.locator('main [class*="_avatar_"]')
  await avatars.first().waitFor()
  return avatars.evaluateAll((elements) =>
    Promise.all(
      elements
        .filter((element) => element instanceof HTMLImageElement)
        .map(async (image) => {
          image.loading = 'eager'
          await image.decode()
          const file = await fetch(image.currentSrc)
          return (await createImageBitmap(await file.blob())).width
        }),
    ),
  )
}

async function arriveSlowly(page: Page): Promise<void> {
  await page.route(/\/api\/|\/assets\/.*\.js$/, async (route) => {
    await sleep(route.request().url().includes('/api/') ? 150 : 60)
    await route.continue().catch(() => {})
  })
}

interface Shift {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null }[]
}

async function observeShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: { value: number; moved: string }[] = []
    Object.assign(globalThis, { shifts: seen })
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as unknown as Shift[]) {
        if (hadRecentInput) continue
        const names = sources.map(({ node }) => {
          const element = node instanceof Element ? node : node?.parentElement
          return element ? `${element.tagName}.${element.className}` : 'gone'
        })
        seen.push({ value, moved: names.join(', ') })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

async function shiftsOf(page: Page): Promise<{ sum: number; moved: string[] }> {
  const shifts = await page.evaluate(
    () => (globalThis as unknown as { shifts: { value: number; moved: string }[] }).shifts,
  )
  return {
    sum: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: shifts.map(({ value, moved }) => `${value.toFixed(4)} ${moved}`),
  }
}

async function makeWorld(mina: Member, joon: Member) {
  const bytes = await zipOf({ 'index.html': PAGE })
  let game = ''
  for (let index = 0; index < 8; index += 1) {
    game = await publish(mina, { title: `Lights ${index}`, bytes })
  }
  const { id: article } = await publishArticle(mina, undefined, {
    description: 'It rained. '.repeat(60),
    body: 'It rained, and then it did not.\n\nSo we walked on.',
    tags: ['seoul'],
  })
  const pictures: string[] = []
  for (let index = 5; index >= 0; index -= 1) {
    const drawn = await drawing(900, 600).png().toBuffer()
    pictures.push((await publishFiles(mina, `Stone ${index}`, [drawn], { tags: ['seoul'] })).id)
  }
  const publishMedia = async (type: 'video' | 'audio', file: Buffer) => {
    const over = { type, description: 'It flows. '.repeat(20) }
    return (await publishFiles(mina, `A ${type} of the river`, [file], over)).id
  }
  const video = NO_FFMPEG ? undefined : await publishMedia('video', bytesOf(makeVideo()))
  const sound = await publishMedia('audio', makeWav())
  for (const id of [game, article, ...pictures, ...(video ? [video] : []), sound]) {
    for (let index = 0; index < 3; index += 1)
      await joon.plaza.comments.create(id, { body: `Lovely ${index}.` })
  }
  const { post } = await mina.plaza.posts.create({ body: 'Good morning, everybody.' })
  for (let index = 0; index < 6; index += 1) {
    await joon.plaza.posts.createReply(post.id, { body: `Good morning ${index}!` })
    await joon.plaza.posts.create({ body: `Hello ${index}.` })
  }
  const portrait = new Uint8Array(await drawing(700, 700).png().toBuffer())
  const { id: avatar_upload_id } = await mina.plaza.upload(new File([portrait], 'stone.png'))
  await mina.plaza.me.update({ bio: 'Stones and rivers. '.repeat(12), avatar_upload_id })
  const hasSizes = async () => (await mina.plaza.me.get()).user.avatar_sizes.length > 0
  await until(hasSizes, 'the sizes of the avatar')
  return { game, article, picture: pictures[0], video, sound, post: post.id }
}
