import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { makeBrokenMp4, makePng } from '../../test/uploads.ts'
import { assertSound, setStage } from './stage.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const joon = await stage.member('joon', 'Joon')
  const png = { name: 'sea.png', mimeType: 'image/png', buffer: await makePng() }

  test('a new article has its own history entry and keeps its text on Back and Forward', async () => {
    const page = await stage.visit('/publish', mina)
    await page.getByRole('button', { name: 'Write an article' }).click()
    await page.getByLabel('Title').fill('By the sea')
    await page.goBack()
    await page.getByRole('button', { name: 'Choose files' }).waitFor()
    assert.equal(await page.getByLabel('Title').count(), 0)
    await page.getByText('You have an unfinished article: By the sea').waitFor()
    await assertSound(page)
    await page.goForward()
    assert.equal(await page.getByLabel('Title').inputValue(), 'By the sea')
    await page.goBack()
    await page.getByRole('button', { name: 'Continue' }).click()
    assert.equal(await page.getByLabel('Title').inputValue(), 'By the sea')
  })

  test('a draft of new content survives a reload and is deleted on publishing', async () => {
    const page = await stage.visit('/publish?as=article', mina)
    await page.getByLabel('Title').fill('Salt')
    await page.getByLabel('Text', { exact: true }).fill('Wind.')
    await page.getByLabel('Tags (optional)').fill('sea,')
    await page.locator('input[type=file]').first().setInputFiles(png)
    await page.getByText('1 of 1 uploaded').waitFor({ state: 'attached' })
    await page.reload()
    await page.getByText('We restored your draft from this device.').waitFor()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Salt')
    assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'Wind.')
    await page.getByRole('button', { name: 'Remove tag sea' }).waitFor()
    await page.getByText('sea.png').waitFor()
    await assertSound(page)
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/contents'),
    )
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const { upload_ids, tags } = (await sent).postDataJSON() as Record<string, string[]>
    assert.deepEqual([upload_ids?.length, tags], [1, ['sea']])
    await page.getByText('Published!').waitFor()
    await page.goto(`${stage.app.url}/publish`)
    await page.getByRole('button', { name: 'Choose files' }).waitFor()
    assert.equal(await page.getByText('unfinished').count(), 0)
    assert.deepEqual(await draftsOf(page), [])
  })

  test('a draft is visible to its author only and is deleted when discarded', async () => {
    const page = await stage.visit('/publish?as=article', mina)
    await page.getByLabel('Title').fill('Mine')
    await page.reload()
    await page.getByText('We restored your draft').waitFor()
    const kept = await page.evaluate(() => ({ ...localStorage }))
    const visitor = await stage.visit('/publish?as=article', joon)
    await visitor.evaluate((items) => {
      for (const [key, value] of Object.entries(items)) {
        if (key.startsWith('plaza.draft')) localStorage.setItem(key, value)
      }
    }, kept)
    await visitor.reload()
    assert.equal(await visitor.getByLabel('Title').inputValue(), '')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'Choose files' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Choose files' }).waitFor()
    assert.deepEqual(await draftsOf(page), [])
  })

  test('a draft’s upload that the server deleted shows an error and blocks publishing', async () => {
    const page = await stage.visit('/publish', mina)
    await page.locator('input[type=file]').first().setInputFiles(png)
    await page.getByText('1 of 1 uploaded').waitFor({ state: 'attached' })
    await page.route('**/uploads/**', (route) =>
      route.request().method() === 'HEAD' ? route.fulfill({ status: 404 }) : route.continue(),
    )
    await page.reload()
    await page.getByRole('alert').getByText('The server deleted this file').waitFor()
    await assertSound(page)
    const posted: string[] = []
    page.on('request', (request) => request.method() === 'POST' && posted.push(request.url()))
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('alert').getByText("A file wasn't uploaded.").waitFor()
    assert.deepEqual(
      posted.filter((url) => url.endsWith('/contents')),
      [],
    )
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  })

  test('a damaged video shows next to its name that the file cannot be read', async () => {
    const page = await stage.visit('/publish', mina)
    const damaged = { name: 'broken.mp4', mimeType: 'video/mp4', buffer: randomBytes(100_000) }
    const whole = { name: 'whole.mp4', mimeType: 'video/mp4', buffer: makeBrokenMp4(1000) }
    await page.locator('input[type=file]').first().setInputFiles([damaged, whole])
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await row('broken.mp4').getByText("We couldn't read this file. It may be damaged.").waitFor()
    await row('whole.mp4').getByText('uploaded').waitFor()
    assert.equal(await page.getByText("We couldn't read this file.").count(), 1)
    assert.equal(await page.getByText('This must be one of').count(), 0)
    await assertSound(page)
  })

  test('unsaved changes survive a reload and report conflicting edits made elsewhere', async () => {
    const { content } = await mina.plaza.contents.create({
      category: 'hype',
      type: 'article',
      title: 'Dunes',
      body: 'Sand.',
      publish: false,
    })
    const page = await stage.visit(`/publish/${content.id}`, mina)
    await page.getByLabel('Text', { exact: true }).fill('Sand, and grass.')
    await mina.plaza.contents.update(content.id, { title: 'High dunes' })
    await page.reload()
    await page.getByText('We restored your unsaved changes.').waitFor()
    assert.equal(await page.getByText('changed elsewhere').count(), 0)
    assert.equal(await page.getByLabel('Title').inputValue(), 'High dunes')
    assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'Sand, and grass.')
    await mina.plaza.contents.update(content.id, { body: 'Only sand.' })
    await page.reload()
    await page.getByText('The same fields were also changed elsewhere').waitFor()
    assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'Sand, and grass.')
    await assertSound(page)
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.getByText('changed elsewhere').waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'Only sand.')
    assert.deepEqual(await draftsOf(page), [])
    assert.equal((await mina.plaza.contents.get(content.id)).content.body, 'Only sand.')
  })

  test('a file shows whether it is waiting, starting, retrying or stopped', async () => {
    const page = await stage.visit('/publish', mina)
    let isBroken = true
    await page.route('**/api/v1/uploads', (route) =>
      isBroken ? route.abort('connectionreset') : new Promise(() => {}),
    )
    const files = ['one', 'two', 'three'].map((name) => ({ ...png, name: `${name}.png` }))
    await page.locator('input[type=file]').first().setInputFiles(files)
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: `${name}.png` })
    await row('one').getByText('connection lost, retrying soon').waitFor()
    await row('three').getByText('waiting for earlier files').waitFor()
    isBroken = false
    await row('one').getByText('starting').waitFor()
    await row('one').getByRole('progressbar').waitFor()
    await row('two').getByRole('button', { name: 'Stop uploading two.png' }).click()
    await row('two').getByText('stopped').waitFor()
    await row('three').getByText('starting').waitFor()
    await assertSound(page)
  })
})

function draftsOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.startsWith('plaza.draft')),
  )
}
