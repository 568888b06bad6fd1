import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { makePng } from '../../test/uploads.ts'
import { assertSound, type Look, publishArticle, setStage, publishFiles } from './stage.ts'

const PHONE: Look = { width: 390, height: 844 }

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const joon = await stage.member('joon', 'Joon')
  const { id } = await publishArticle(mina)
  const article = await publishArticle(mina, 'Rain')
  const png = await makePng()
  for (const title of ['One', 'Two']) await publishFiles(mina, title, [png], { category: 'swipe' })

  for (const [name, look] of [
    ['on a phone', PHONE],
    ['on a desktop', {}],
  ] as const) {
    test(`Back closes the comments of Swipe ${name} and stays there`, async () => {
      const page = await stage.visit('/', joon, look)
      await page.getByRole('link', { name: 'Swipe', exact: true }).first().click()
      await page
        .getByRole('button', { name: /comment/i })
        .first()
        .click()
      const write = page.getByRole('textbox', { name: 'Write a comment' })
      await write.waitFor()
      const length = await lengthOf(page)
      await page.goBack()
      await write.waitFor({ state: 'detached' })
      assert.equal(pathOf(page), '/swipe')
      await page.getByRole('heading', { level: 1, name: 'Swipe' }).waitFor()
      // Closing a panel by its button removes its history entry.
      await page
        .getByRole('button', { name: /comment/i })
        .first()
        .click()
      await write.waitFor()
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await write.waitFor({ state: 'detached' })
      await assertSound(page)
      assert.equal(await lengthOf(page), length)
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
      await page.goForward()
      await page.getByRole('heading', { level: 1, name: 'Swipe' }).waitFor()
    })
  }

  test('Back closes the sign-in dialog, and its link leaves from the page below', async () => {
    const page = await stage.visit('/', undefined, PHONE)
    await page.getByRole('link', { name: 'A walk along the river' }).first().click()
    await page.getByRole('button', { name: 'Like, 0' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: 'A walk along the river' }).waitFor()
    await page.getByRole('button', { name: 'Like, 0' }).click()
    await dialog.getByRole('link', { name: 'Sign up' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign up' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'A walk along the river' }).waitFor()
    assert.equal(await dialog.count(), 0)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await assertSound(page)
  })

  test('a reload with an open dialog shows the page without it, and Back leaves the page', async () => {
    const page = await stage.visit('/')
    await page.getByRole('link', { name: 'A walk along the river' }).first().click()
    await page.getByRole('button', { name: 'Like, 0' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'A walk along the river' }).waitFor()
    await page.waitForFunction(() => !history.state.overlays)
    assert.equal(await dialog.count(), 0)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  })

  test('Forward to a closed dialog shows its page without the dialog', async () => {
    const page = await stage.visit(`/contents/${id}`)
    await page.getByRole('button', { name: 'Like, 0' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await page.evaluate(() => history.forward())
    await page.waitForFunction(() => !history.state.overlays)
    assert.equal(await dialog.count(), 0)
    await page.getByRole('heading', { level: 1, name: 'A walk along the river' }).waitFor()
  })

  test('confirming a dialog inside a form does not submit the form', async () => {
    const content = await publishArticle(mina, 'To go')
    const page = await stage.visit(`/publish/${content.id}`, mina)
    await page.getByLabel('Title').fill('Another title')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET')
        sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
    })
    await page.getByRole('button', { name: 'Archive' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page
      .getByRole('region', { name: 'Status' })
      .getByText('Archived', { exact: true })
      .waitFor()
    assert.deepEqual(sent, [`DELETE /api/v1/contents/${content.id}`])
    const { content: after } = await mina.plaza.contents.get(content.id)
    assert.deepEqual([after.title, after.status], ['To go', 'archived'])
  })

  test('leaving an unsaved form asks for confirmation, and Back cancels the leaving', async () => {
    const page = await stage.visit('/library', mina)
    await page.getByRole('button', { name: /Rain/ }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Title').fill('More rain')
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await page.getByRole('link', { name: 'Community' }).click()
    await dialog.waitFor()
    assert.equal(pathOf(page), `/publish/${article.id}`)
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Title').inputValue(), 'More rain')
    await page.goBack().catch(() => null)
    await dialog.waitFor()
    assert.equal(pathOf(page), `/publish/${article.id}`)
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.waitForFunction(() => !history.state.overlays)
    await page.goBack().catch(() => null)
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/library')
    await dialog.waitFor({ state: 'detached' })
    await page.goForward()
    await page.getByText('We restored your unsaved changes.').waitFor()
    assert.equal(await page.getByLabel('Title').inputValue(), 'More rain')
    await page.getByRole('link', { name: 'Community' }).click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'Community' }).waitFor()
    await page.goBack()
    await page.getByLabel('Title').waitFor()
    await assertSound(page)
  })

  test('Back focuses the link that opened the page', async () => {
    for (let count = 0; count < 12; count += 1) await publishArticle(mina, `Card ${count}`)
    const page = await stage.visit('/hype')
    const card = page.getByRole('main').getByRole('link', { name: 'Card 4', exact: true })
    await card.focus()
    const before = await page.evaluate(() => scrollY)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Card 4' }).waitFor()
    await page.waitForFunction(() => document.activeElement?.id === 'main')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Hype' }).waitFor()
    await card.and(page.locator(':focus')).waitFor()
    assert.equal(await page.evaluate(() => scrollY), before)
  })

  test('opening and closing a dialog keeps the scroll position', async () => {
    const page = await stage.visit(`/contents/${id}`, undefined, { height: 400 })
    const like = page.getByRole('button', { name: 'Like, 0' })
    await like.waitFor()
    await like.evaluate((button) => button.scrollIntoView({ block: 'start' }))
    await page.waitForFunction(() => scrollY > 0)
    const before = await page.evaluate(() => scrollY)
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
      await like.click()
      await dialog.waitFor()
      await close()
      await dialog.waitFor({ state: 'detached' })
      await page.waitForFunction(() => !history.state.overlays)
      assert.equal(await page.evaluate(() => scrollY), before)
    }
  })
})

function pathOf(page: Page): string {
  return new URL(page.url()).pathname
}

function lengthOf(page: Page): Promise<number> {
  return page.evaluate(() => history.length)
}
