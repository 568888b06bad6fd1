import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createPlaza, isPlazaError } from '#sdk'
import { withoutChromium } from '../../test/chromium.ts'
import { assertSound, publishArticle, setStage, enterPassword } from './stage.ts'
import { drawing } from '../../test/uploads.ts'

const PASSWORD = 'the river was quiet today'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  // At this cost the proof of work reports its progress several times, so the test can observe the progress.
  const stage = await setStage({ CAPTCHA_COST: '50000' })
  const mina = await stage.member('mina', 'Mina')

  test('a visitor can sign up while the proof of work runs in the background', async () => {
    const page = await stage.visit('/sign-up')
    const proof = page.getByRole('progressbar')
    await page.getByText('Starts when you type').waitFor()
    assert.equal(await proof.getAttribute('value'), '0')
    const shares = await keepShares(page)
    await page.getByLabel('Handle', { exact: true }).fill('Mina')
    await page.getByLabel('Email').fill('sora@example.com')
    await page.getByLabel('Display name (optional)').fill('Sora')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByRole('alert').getByText('Add 5 more characters.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('status').getByText('Verified', { exact: true }).waitFor()
    assert.equal(await proof.getAttribute('aria-valuetext'), '100%')
    const told = await shares()
    assert.ok(told.length >= 3, `reported progress: ${told.join()}`)
    assert.deepEqual(
      told,
      told.toSorted((a, b) => a - b),
    )
    await assertSound(page)

    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByRole('alert').getByText('taken').waitFor()
    assert.ok(await page.getByLabel('Handle', { exact: true }).evaluate(isFocused))
    await page.getByLabel('Handle', { exact: true }).fill('sora')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByText('Welcome, Sora!').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.getByRole('button', { name: 'Your menu, Sora' }).waitFor()
    const { creator } = await mina.plaza.creators.get('sora')
    assert.equal(creator.display_name, 'Sora')
    const readable = await page.evaluate(() => document.cookie + JSON.stringify(localStorage))
    assert.doesNotMatch(readable, /ey[\w-]{20}|refresh/, 'no token should be readable by scripts')
  })

  test('a picture saved as a draft is visible to its author only, and to everyone once published', async () => {
    const page = await stage.visit('/', mina)
    await page.getByRole('link', { name: 'Publish', exact: true }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose files' }).click()
    const buffer = await drawing(640, 360).png().toBuffer()
    const file = { name: 'morning by the river.png', mimeType: 'image/png', buffer }
    await (await chooser).setFiles([file])
    assert.equal(await page.getByLabel('Title').inputValue(), 'morning by the river')
    await page.getByLabel('Title').fill('')
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByRole('alert').getByText('Add a title.').waitFor()
    await page.getByLabel('Title').fill('Morning by the river')
    await page.getByLabel('Tags (optional)').fill('river')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove tag river' }).waitFor()
    await page.getByText(/ · uploaded$/).waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByRole('region', { name: 'Status' }).getByText('Draft', { exact: true }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const isMissing = (error: unknown) => isPlazaError(error, 'CONTENT_NOT_FOUND')
    await assert.rejects(createPlaza({ url: stage.app.url }).contents.get(id), isMissing)
    assert.deepEqual((await mina.plaza.feeds.list()).feeds, [])

    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Published!').waitFor()
    await assertSound(page)
    await page.getByRole('link', { name: 'Home' }).click()
    await assertShown(page)
    const stranger = await stage.visit('/creators/mina')
    await assertShown(stranger)
    await assertSound(stranger)
    await stranger.getByRole('link', { name: 'Morning by the river' }).click()
    await stranger.getByRole('heading', { level: 1, name: 'Morning by the river' }).waitFor()
    await stranger.getByRole('img', { name: 'Morning by the river' }).waitFor()
    await stranger.getByRole('link', { name: '#river' }).waitFor()
    await assertSound(stranger)
  })

  test('after signing out, a wrong password shows an error and the right one signs in', async () => {
    const page = await stage.visit('/account', mina)
    await page.getByRole('link', { name: 'Devices' }).click()
    const here = page.getByRole('listitem').filter({ hasText: 'This device' })
    await here.getByRole('heading', { name: /Chrome on Linux/ }).waitFor()
    assert.equal(await here.count(), 1)
    assert.equal(await here.getByRole('button', { name: /Sign out/ }).count(), 0)
    await assertSound(page)
    await page.getByRole('button', { name: 'Your menu, Mina' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('Signed out').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()

    await enterPassword(page, { handle: 'mina', password: 'not the right password' })
    await page.getByRole('alert').getByText('Wrong handle, email or password.').waitFor()
    assert.ok(await page.getByLabel('Password', { exact: true }).evaluate(isFocused))
    await assertSound(page)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await enterPassword(page, { handle: 'mina@example.com', password: mina.password })
    await page.getByRole('button', { name: 'Your menu, Mina' }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  })

  test('a page that needs an account asks to sign in and opens afterwards', async () => {
    const page = await stage.visit('/library?list=likes')
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await enterPassword(page, mina)
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor()
    assert.equal(new URL(page.url()).search, '?list=likes')
  })

  test('an action of a signed-out visitor runs after signing in', async () => {
    const joon = await stage.member('joon', 'Joon')
    const content = await publishArticle(mina)
    const likes = async () => (await mina.plaza.contents.get(content.id)).content.like_count
    const page = await stage.visit(`/contents/${content.id}`)
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await page.getByRole('button', { name: 'Save, 0' }).click()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Like, 0', pressed: false }).click()
    await dialog.waitFor()
    await assertSound(page)
    assert.equal(await likes(), 0)
    await enterPassword(page, joon)
    await page.getByRole('button', { name: 'Like, 1', pressed: true }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await likes(), 1)
    const { content: seen } = await joon.plaza.contents.get(content.id)
    assert.deepEqual([seen.is_liked, seen.is_bookmarked], [true, false])
  })
})

/** Records the values of the progress bar. Returns a function that reads the recorded values. */
async function keepShares(page: Page): Promise<() => Promise<number[]>> {
  await page.getByRole('progressbar').evaluate((bar) => {
    const shares: number[] = []
    Object.assign(globalThis, { shares })
    new MutationObserver(() => shares.push(Number(bar.getAttribute('value')))).observe(bar, {
      attributeFilter: ['value'],
    })
  })
  return () => page.evaluate(() => (globalThis as unknown as { shares: number[] }).shares)
}

async function assertShown(page: Page): Promise<void> {
  const card = page.getByRole('article').filter({ hasText: 'Morning by the river' })
  await card.getByRole('link', { name: 'Morning by the river' }).waitFor()
  assert.equal(await card.count(), 1)
  const picture = card.locator('img').first()
  await picture.evaluate((image: HTMLImageElement) => image.decode())
}

const isFocused = (element: Element) => element === document.activeElement
