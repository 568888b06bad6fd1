import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { makePng } from '../../test/uploads.ts'
import { type Member, publishArticle, setStage, enterPassword } from './stage.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const joon = await stage.member('joon', 'Joon')

  test('a like made offline is sent when the connection returns', async () => {
    const { id } = await publishArticle(mina)
    const page = await stage.visit(`/contents/${id}`, joon)
    await page.getByRole('button', { name: 'Like, 0', pressed: false }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Like, 0', pressed: false }).click()
    await page.getByRole('button', { name: 'Like, 1', pressed: true }).waitFor()
    const taken = page.waitForResponse(/\/like$/)
    await page.context().setOffline(false)
    assert.equal((await taken).request().method(), 'PUT')
    await page.getByRole('button', { name: 'Like, 1', pressed: true }).waitFor()
    assert.equal((await joon.plaza.contents.get(id)).content.is_liked, true)
  })

  test('the last of two presses wins, also while the first request is under way', async () => {
    const { id } = await publishArticle(mina)
    const page = await stage.visit(`/contents/${id}`, joon)
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/like', async (route) => {
      await answered
      await route.continue()
    })
    await page.getByRole('button', { name: 'Like, 0', pressed: false }).click()
    await page.getByRole('button', { name: 'Like, 1', pressed: true }).click()
    await page.getByRole('button', { name: 'Like, 0', pressed: false }).waitFor()
    const last = page.waitForResponse(
      (response) => response.url().endsWith('/like') && response.request().method() === 'DELETE',
    )
    answer()
    assert.equal((await last).status(), 200)
    assert.equal((await joon.plaza.contents.get(id)).content.is_liked, false)
  })

  test('Enter in the title saves a draft and publishes nothing', async () => {
    const page = await stage.visit('/publish', mina)
    await page.getByRole('button', { name: 'Write an article' }).click()
    await page.getByLabel('Text', { exact: true }).fill('Salt.')
    await page.getByLabel('Title').fill('By the sea')
    await page.keyboard.press('Enter')
    const status = page.getByRole('region', { name: 'Status' })
    await status.getByText('Draft', { exact: true }).waitFor()
    await page.getByLabel('Title').fill('By the quiet sea')
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.keyboard.press('Enter')
    assert.equal((await saved).status(), 200)
    await page.getByText('saved', { exact: false }).first().waitFor()
    await page.getByRole('button', { name: 'Save as draft', disabled: true }).waitFor()
    await status.getByText('Draft', { exact: true }).waitFor()
    const { feeds } = await mina.plaza.me.listContents()
    const draft = feeds.find(({ title }) => title === 'By the quiet sea')
    assert.equal(draft?.status, 'draft')
  })

  test('unsaved input survives the end of the session and signing in again', async () => {
    const content = await publishArticle(mina, 'A draft', { body: 'Rain.', publish: false })
    const page = await stage.visit(`/publish/${content.id}`, mina, { movesTime: true })
    const text = page.getByLabel('Text', { exact: true })
    await text.waitFor()
    await mina.plaza.contents.update(content.id, { title: 'Of another tab' })
    await endSession(mina)
    await text.fill('Rain, and more of it.')
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByText('Your session ended.').waitFor()
    const missing = page.waitForResponse((answer) => answer.status() === 404)
    await page.clock.fastForward(31_000)
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await missing
    assert.equal(await text.inputValue(), 'Rain, and more of it.')
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await signIn(page, mina)
    await page.getByRole('button', { name: 'Save as draft', disabled: true }).waitFor()
    assert.equal(await text.inputValue(), 'Rain, and more of it.')
    const { content: saved } = await mina.plaza.contents.get(content.id)
    assert.deepEqual([saved.title, saved.body], ['Of another tab', 'Rain, and more of it.'])
  })

  test('a failed sign-out shows an error and keeps the session', async () => {
    const page = await stage.visit('/community', mina)
    await page.route('**/auth/logout', (route) => route.abort())
    await page.getByRole('button', { name: 'Your menu, Mina' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText("Couldn't sign you out.").waitFor()
    await page.getByRole('button', { name: 'Your menu, Mina' }).waitFor()
  })

  test('signing out shows a notice when another user has signed in meanwhile', async () => {
    const page = await stage.visit('/community', mina)
    const { user } = await mina.plaza.me.get()
    const menu = page.getByRole('button', { name: 'Your menu, Mina' })
    await menu.waitFor()
    await keepMark(page, user.id)
    await page.reload()
    await menu.click()
    // Simulates a sign-in in another tab that this tab has not noticed.
    await keepMark(page, (await joon.plaza.me.get()).user.id)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('Another account is now signed in here.').waitFor()
    assert.equal(await page.getByText("The server isn't responding").count(), 0)
    assert.deepEqual(
      asked.filter((url) => url.endsWith('/auth/logout')),
      [],
    )
  })

  test('changing the avatar shows a notice when another user has signed in meanwhile', async () => {
    const page = await stage.visit('/account', mina)
    const { user } = await mina.plaza.me.get()
    const chooser = page.getByLabel('Choose picture')
    await chooser.waitFor({ state: 'attached' })
    await keepMark(page, user.id)
    await page.reload()
    await chooser.waitFor({ state: 'attached' })
    await page.route('**/uploads', async (route) => {
      await keepMark(page, (await joon.plaza.me.get()).user.id)
      await route.fulfill({
        status: 401,
        json: { success: false, error: { code: 'UNAUTHORIZED', message: 'Sign in to do this.' } },
      })
    })
    await chooser.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await makePng() })
    await page.getByText('Another account is now signed in here.').waitFor()
    assert.equal((await mina.plaza.me.get()).user.avatar_url, null)
  })

  test('a cancelled avatar upload changes nothing and shows no error', async () => {
    const page = await stage.visit('/account', mina)
    const chooser = page.getByLabel('Choose picture')
    await chooser.waitFor({ state: 'attached' })
    // Never responds, so that the upload stays in progress.
    await page.route('**/uploads', () => {})
    await chooser.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await makePng() })
    await page.getByRole('button', { name: 'Cancel upload' }).click()
    await page.getByRole('button', { name: 'Choose picture' }).waitFor()
    assert.equal(await page.getByRole('main').getByRole('alert').count(), 0)
    assert.equal((await mina.plaza.me.get()).user.avatar_url, null)
  })

  test('a response that is not from Plaza shows an error in the page’s language', async () => {
    const { id } = await publishArticle(mina)
    const page = await stage.visit(`/contents/${id}`, joon, { language: 'ko' })
    const answer = {
      contentType: 'text/html',
      body: '<h1>Bad gateway</h1>',
      headers: { 'x-request-id': '01939f2c-6c1a-7c3e-9b52-4f0d8a6e7b11' },
    }
    await page.route('**/like', (route) => route.fulfill({ ...answer, status: 403 }))
    await page.getByRole('button', { name: '좋아요, 0' }).click()
    await page.getByText('처리하지 못했어요. 알 수 없는 응답을 받았어요(403).').waitFor()
    await page.route('**/api/v1/contents/**', (route) => route.fulfill({ ...answer, status: 502 }))
    await page.reload()
    const main = page.getByRole('main')
    await main.getByRole('alert').getByText('알 수 없는 응답을 받았어요(502).').waitFor()
    await main.getByText('01939f2c-6c1a-7c3e-9b52-4f0d8a6e7b11').waitFor()
    assert.equal(await main.getByText('We got an unexpected response').count(), 0)
  })

  test('a conversation that fails to load shows the reason and can be retried', async () => {
    const { user } = await joon.plaza.me.get()
    const { conversation } = await mina.plaza.conversations.create({ user_id: user.id })
    const page = await stage.visit('/community', mina)
    // Fails every account request until the click on "Try again". One failure would not be enough, because lazily
    // loaded code repeats the request.
    await page.addInitScript(() =>
      addEventListener('click', () => sessionStorage.setItem('pressed', 'yes'), true),
    )
    await page.route('**/auth/me', async (route) => {
      // `evaluate` rejects when the page has already been left.
      const pressed = await page.evaluate(() => sessionStorage.getItem('pressed')).catch(() => null)
      if (pressed) return route.continue()
      return route.fulfill({ status: 500, body: 'out of order' })
    })
    await page.goto(`${stage.app.url}/messages/${conversation.id}`)
    const main = page.getByRole('main')
    await main.getByRole('alert').getByText('We got an unexpected response (500)').last().waitFor()
    await main.getByRole('button', { name: 'Try again' }).last().click()
    await page.getByRole('region', { name: 'Messages' }).waitFor()
  })

  test('a deletion whose response was lost is retried and reported as successful', async () => {
    const { app } = await mina.plaza.apps.create({ app_name: 'Kites', app_type: 'web' })
    const page = await stage.visit(`/devconsole/apps/${app.id}?part=settings`, mina)
    await page.getByRole('button', { name: 'Delete app' }).first().click()
    let tries = 0
    await page.route(`**/apps/${app.id}`, async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue()
      if (++tries > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Kites')
    await dialog.getByRole('button', { name: 'Delete app' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.waitForURL('**/devconsole')
    assert.equal(tries, 2)
  })
})

function keepMark(page: Page, id: string): Promise<void> {
  return page.evaluate((mark) => localStorage.setItem('plaza.session', mark), `${Date.now()} ${id}`)
}

/** Ends the sessions of the user's pages. The pages notice this at their next request. */
async function endSession({ plaza }: Member): Promise<void> {
  const { sessions } = await plaza.sessions.list()
  for (const { id, is_current } of sessions) if (!is_current) await plaza.sessions.revoke(id)
}

async function signIn(page: Page, member: Member): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await enterPassword(dialog, member)
  await dialog.waitFor({ state: 'detached' })
}
