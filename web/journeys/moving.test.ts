import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withoutChromium } from '../../test/chromium.ts'
import { assertSound, type Look, publishArticle, setStage } from './stage.ts'

const PHONE: Look = { width: 390, height: 844 }

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const joon = await stage.member('joon', 'Joon')
  const { id } = await publishArticle(mina)

  test('a page that is not loaded shows its name and an offline message, and opens with the connection', async () => {
    const page = await stage.visit('/', joon)
    await page.getByRole('link', { name: 'A walk along the river' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Community' }).click()
    await page.getByRole('heading', { level: 2, name: "You're offline" }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Community' }).waitFor()
    assert.equal(await page.title(), 'Community - Plaza')
    assert.equal(await page.getByRole('link', { name: 'A walk along the river' }).count(), 0)
    assert.equal(
      await page.getByRole('link', { name: 'Community' }).getAttribute('aria-current'),
      'page',
    )
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'main')
    await assertSound(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.getByRole('link', { name: 'A walk along the river' }).click()
    await page.getByRole('heading', { level: 1, name: "You're offline" }).waitFor()
    assert.equal(await page.title(), "You're offline - Plaza")
    await page.context().setOffline(false)
    await page.getByRole('heading', { level: 1, name: 'A walk along the river' }).waitFor()
    assert.equal(await page.getByText("You're offline").count(), 0)
  })

  test('only one notice is shown at a time, and it disappears with its page', async () => {
    const page = await stage.visit(`/contents/${id}`, joon)
    const notices = page.getByRole('region', { name: 'Notices' })
    await page.getByRole('button', { name: 'Share' }).click()
    await notices.getByText('copied').waitFor()
    await page.route('**/like', (route) => route.fulfill({ status: 500, body: 'broken' }))
    await page.getByRole('button', { name: 'Like, 0' }).click()
    await notices.getByText('copied').waitFor({ state: 'detached' })
    await notices.getByRole('button', { name: 'Close' }).waitFor()
    assert.equal(await notices.locator('p').count(), 1)
    await page.getByRole('link', { name: 'Community' }).click()
    await notices.locator('p').waitFor({ state: 'detached', timeout: 3000 })
  })

  for (const [name, look] of [
    ['on a phone', PHONE],
    ['on a desktop', {}],
  ] as const) {
    test(`a notice covers no field ${name}, wherever the page is scrolled`, async () => {
      const page = await stage.visit(`/contents/${id}`, joon, { ...look, movesTime: true })
      const share = page.getByRole('button', { name: 'Share' })
      await share.click()
      const notice = page.getByRole('region', { name: 'Notices' }).locator('p')
      await notice.waitFor()
      const write = page.getByRole('textbox', { name: 'Write a comment' })
      const places = new Set<number>()
      for (const block of ['end', 'center', 'start'] as const) {
        await write.evaluate((field, where) => field.scrollIntoView({ block: where }), block)
        await page.waitForFunction(
          () => !document.getAnimations().some(({ playState }) => playState === 'running'),
        )
        const [box, field] = [await notice.boundingBox(), await write.boundingBox()]
        assert.ok(box && field)
        places.add(box.y)
        const isOver = box.y < field.y + field.height && box.y + box.height > field.y
        const isBeside = box.x + box.width < field.x || box.x > field.x + field.width
        assert.ok(!isOver || isBeside, `${block}: ${JSON.stringify({ box, field })}`)
        assert.ok(box.y >= 0)
      }
      await assertSound(page)
    })
  }
  test('a notice covers no main action on a phone, and stays while the focus is on it', async () => {
    const page = await stage.visit('/account', mina, { ...PHONE, movesTime: true })
    await page.getByLabel('About you').fill('Rivers. '.repeat(10))
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    const notices = page.getByRole('region', { name: 'Notices' })
    await notices.getByText('Saved').waitFor()
    for (const block of ['end', 'center'] as const) {
      await save.evaluate((button, where) => button.scrollIntoView({ block: where }), block)
      await page.waitForFunction(
        () => !document.getAnimations().some(({ playState }) => playState === 'running'),
      )
      const [notice, button] = [await notices.locator('p').boundingBox(), await save.boundingBox()]
      assert.ok(notice && button)
      const isApart = notice.y + notice.height <= button.y || notice.y >= button.y + button.height
      assert.ok(isApart, `${block}: ${JSON.stringify({ notice, button })}`)
    }
    await notices.getByRole('button', { name: 'Close' }).focus()
    await page.clock.fastForward(20_000)
    assert.equal(await notices.locator('p').count(), 1)
    await page.getByLabel('About you').focus()
    await page.clock.fastForward(20_000)
    await notices.locator('p').waitFor({ state: 'detached' })
  })
})
