import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { makeBrokenMp4, makePng } from '../../test/uploads.ts'
import { assertSound, type Member, setStage, publishArticle } from './stage.ts'
import { until } from '../../test/receiver.ts'

const SAVED = 'Saved in your library.'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const joon = await stage.member('joon', 'Joon')
  const ada = await stage.member('ada', 'Ada')
  const eun = await stage.member('eun', 'Eun')
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

  test('a draft of new content is saved on the server, survives a reload and is published once', async () => {
    const page = await stage.visit('/publish?as=article', mina)
    await page.getByLabel('Text', { exact: true }).fill('Wind.')
    await page.getByLabel('Tags (optional)').fill('sea,')
    await page.locator('input[type=file]').first().setInputFiles(png)
    await page.getByText(SAVED).waitFor()
    const [draft] = await draftsOn(mina)
    assert.deepEqual([draft?.title, draft?.tags, draft?.media.length], ['sea', ['sea'], 1])
    await page.getByLabel('Title').fill('Salt')
    await page.getByText('Not saved yet.').waitFor()
    await page.getByText(SAVED).waitFor()
    await assertSound(page)
    await page.reload()
    await page.getByText('We restored your draft.').waitFor()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Salt')
    assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'Wind.')
    await page.getByRole('button', { name: 'Remove tag sea' }).waitFor()
    await page.getByText('sea.png').waitFor()
    await page.getByRole('button', { name: 'Start another work' }).waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Published!').waitFor()
    const { feeds } = await mina.plaza.me.listContents()
    const found = feeds.filter(({ title }) => title === 'Salt' || title === 'sea')
    assert.deepEqual(
      found.map(({ id, status }) => [id, status]),
      [[draft?.id, 'published']],
    )
    await page.goto(`${stage.app.url}/publish`)
    await page.getByRole('button', { name: 'Choose files' }).waitFor()
    assert.equal(await page.getByText('unfinished').count(), 0)
    assert.deepEqual(await draftsOf(page), [])
  })

  test('other files replace the draft, leaving sends the last words, an emptied draft is deleted, and one put aside stays', async () => {
    const page = await stage.visit('/publish?as=article', ada)
    await page.getByLabel('Title').fill('Gulls')
    await page.getByText(SAVED).waitFor()
    const [before] = await draftsOn(ada)
    await page.locator('input[type=file]').first().setInputFiles(png)
    await page.getByText('1 of 1 uploaded').waitFor({ state: 'attached' })
    // The `online` event saves immediately. After changes of files, the form would wait ten seconds.
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await page.getByText(SAVED).waitFor()
    const [draft, ...others] = await draftsOn(ada)
    assert.deepEqual([draft?.media.length, others], [1, []])
    assert.notEqual(draft?.id, before?.id)

    await page.getByLabel('Title').fill('Gulls and terns')
    await page.getByRole('link', { name: 'Community' }).click()
    await page.getByRole('heading', { level: 1, name: 'Community' }).waitFor()
    await until(async () => (await draftsOn(ada))[0]?.title === 'Gulls and terns')
    await until(async () => (await draftsOf(page)).length === 0)
    await page.goto(`${stage.app.url}/library?status=draft`)
    await page.getByRole('link', { name: 'Gulls and terns' }).waitFor()

    await page.goto(`${stage.app.url}/publish?as=article`)
    await page.getByLabel('Text', { exact: true }).fill('Nothing')
    await page.getByText(SAVED).waitFor()
    assert.deepEqual(
      (await draftsOn(ada)).map(({ title }) => title),
      ['Untitled', 'Gulls and terns'],
    )
    await page.getByLabel('Text', { exact: true }).fill('')
    await until(async () => (await draftsOn(ada)).every(({ title }) => title !== 'Untitled'))
    assert.equal((await draftsOn(ada)).length, 1)

    await page.getByLabel('Title').fill('Terns')
    await page.getByText(SAVED).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Start another work' }).click()
    await page.getByRole('button', { name: 'Choose files' }).waitFor()
    assert.deepEqual(await draftsOf(page), [])
    await page.getByRole('button', { name: 'Write an article' }).click()
    assert.equal(await page.getByLabel('Title').inputValue(), '')
    await page.getByLabel('Title').fill('Waders')
    await page.getByText(SAVED).waitFor()
    assert.deepEqual(
      (await draftsOn(ada)).map(({ title }) => title),
      ['Waders', 'Terns', 'Gulls and terns'],
    )
  })

  test('a draft that cannot be saved stays on the device, and a lost response creates no second one', async () => {
    const page = await stage.visit('/publish?as=article', joon)
    await page.route('**/api/v1/contents', (route) => route.abort('connectionreset'))
    await page.getByLabel('Title').fill('Ebb')
    await page.getByText("Couldn't save. We'll try again soon.").waitFor()
    await assertSound(page)
    await page.getByRole('link', { name: 'Community' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await page.reload()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Ebb')
    await page.unroute('**/api/v1/contents')
    await page.route('**/api/v1/contents', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.getByText("Couldn't save.").waitFor()
    assert.equal((await draftsOn(joon)).length, 1)
    await page.reload()
    await page.unroute('**/api/v1/contents')
    await page.getByLabel('Title').fill('Ebb and flow')
    await page.getByText(SAVED).waitFor()
    assert.deepEqual(
      (await draftsOn(joon)).map(({ title }) => title),
      ['Ebb and flow'],
    )
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'Choose files' }).waitFor()
    await until(async () => (await draftsOn(joon)).length === 0)
    assert.deepEqual(await draftsOf(page), [])
  })

  test('a draft continues on another device, and the same field changed on both is reported', async () => {
    const phone = await stage.visit('/publish?as=article', eun)
    await phone.getByLabel('Title').fill('Tide')
    await phone.getByText(SAVED).waitFor()
    const desk = await stage.visit('/library?status=draft', eun)
    await desk.getByRole('button', { name: /Tide/ }).click()
    await desk.getByRole('menuitem', { name: 'Edit' }).click()
    await desk.getByLabel('Text', { exact: true }).fill('Out, and in.')
    await desk.getByText(SAVED).waitFor()
    await phone.getByLabel('Title').fill('The tide')
    await phone.getByText('Not saved yet.').waitFor()
    await phone.getByText(SAVED).waitFor()
    assert.equal(await phone.getByLabel('Text', { exact: true }).inputValue(), 'Out, and in.')

    await desk.getByLabel('Title').fill('Tides')
    await desk.getByText('The same fields were also changed elsewhere').waitFor()
    await assertSound(desk)
    const [kept] = await draftsOn(eun)
    assert.equal(kept?.title, 'The tide')
    const { content } = await eun.plaza.contents.get(kept?.id ?? '')
    assert.equal(content.body, 'Out, and in.')
    await desk.getByRole('button', { name: 'Save as draft' }).click()
    await desk.getByText('Changes saved.').waitFor()
    await phone.getByLabel('Title').fill('My tide')
    await phone.getByText('The same fields were also changed elsewhere').waitFor()
    await assertSound(phone)
    assert.equal((await draftsOn(eun))[0]?.title, 'Tides')
    await phone.getByRole('button', { name: 'Discard' }).click()
    await phone.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await phone.waitForURL(`**/publish/${kept?.id}`)
    await phone.getByRole('heading', { level: 1, name: 'Edit your work' }).waitFor()
    assert.equal(await phone.getByLabel('Title').inputValue(), 'Tides')
  })

  test('a draft is visible to its author only', async () => {
    const page = await stage.visit('/publish?as=article', mina)
    await page.getByLabel('Title').fill('Mine')
    const kept = await page.evaluate(() => ({ ...localStorage }))
    const visitor = await stage.visit('/publish?as=article', joon)
    await visitor.evaluate((items) => {
      for (const [key, value] of Object.entries(items)) {
        if (key.startsWith('plaza.draft')) localStorage.setItem(key, value)
      }
    }, kept)
    await visitor.reload()
    assert.equal(await visitor.getByLabel('Title').inputValue(), '')
  })

  test('a draft’s upload that the server deleted shows an error and blocks publishing', async () => {
    const page = await stage.visit('/publish', mina)
    await page.route('**/api/v1/contents', (route) => route.abort('connectionreset'))
    await page.locator('input[type=file]').first().setInputFiles(png)
    await page.getByText('1 of 1 uploaded').waitFor({ state: 'attached' })
    await page.route('**/uploads/**', (route) =>
      route.request().method() === 'HEAD' ? route.fulfill({ status: 404 }) : route.continue(),
    )
    await page.reload()
    await page.getByRole('alert').getByText('The server deleted this file').waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('alert').getByText("A file wasn't uploaded.").waitFor()
    // A page that closes sends its draft once more, and the test cannot always stop this request.
    const { feeds } = await mina.plaza.me.listContents()
    assert.ok(feeds.every(({ title, status }) => title !== 'sea' || status === 'draft'))
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
    const content = await publishArticle(mina, 'Dunes', { body: 'Sand.', publish: false })
    const page = await stage.visit(`/publish/${content.id}`, mina)
    await page.route('**/api/v1/contents/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue(),
    )
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

async function draftsOn({ plaza }: Member) {
  return (await plaza.me.listContents({ status: 'draft' })).feeds
}

function draftsOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.startsWith('plaza.draft')),
  )
}
