import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { withoutChromium } from '../../test/chromium.ts'
import { drawing } from '../../test/uploads.ts'
import { assertSound, publishArticle, setStage, publishFiles } from './stage.ts'

const HOUR_MS = 3_600_000

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const joon = await stage.member('joon', 'Joon')
  const walk = await publishArticle(mina)

  test('sharing copies the link without tracking, and a phone opens its share sheet', async () => {
    const page = await stage.visit(`/contents/${walk.id}?utm_source=x#comments`)
    const link = `${stage.app.url}/contents/${walk.id}`
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByText('Link copied').waitFor()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link)
    const shared = await page.evaluate(async () => {
      const asked = matchMedia
      window.matchMedia = (query) =>
        query === '(hover: none)' ? ({ matches: true } as MediaQueryList) : asked(query)
      return new Promise((resolve) => {
        const share = async (data: ShareData) => resolve(data)
        Object.defineProperty(navigator, 'share', { value: share })
        const buttons = [...document.querySelectorAll('button')]
        buttons.find(({ textContent }) => textContent === 'Share')?.click()
      })
    })
    assert.deepEqual(shared, { title: walk.title, url: link })
  })

  test('a scheduled article appears at its time, while nobody is there', async () => {
    const page = await stage.visit('/publish?as=article', mina)
    await page.getByLabel('Title').fill('Tomorrow’s news')
    await page.getByLabel('Text', { exact: true }).fill('Rain.')
    await page.getByLabel('Publish later').check()
    await page.getByText('Not saved yet.').waitFor()
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByText('Saved as draft.').waitFor()
    const address = page.url().replace('/publish/', '/contents/')
    assert.ok(await page.getByLabel('Publish later').isChecked())
    await assertSound(page)
    await page.close()
    const visitor = await stage.visit('/hype')
    const link = visitor.getByRole('link', { name: 'Tomorrow’s news' })
    await visitor.getByRole('link', { name: walk.title }).first().waitFor()
    assert.equal(await link.count(), 0)
    assert.equal((await visitor.goto(address))?.status(), 404)
    stage.app.clock.advance(HOUR_MS)
    for (let tries = 0; tries < 100; tries += 1) {
      if ((await visitor.goto(address))?.status() === 200) break
      await visitor.waitForTimeout(200)
    }
    await visitor.goto(`${stage.app.url}/hype`)
    await link.first().waitFor()
    // Otherwise the server would be a day ahead of the browser in the last hour of a day.
    stage.app.clock.jump(-HOUR_MS)
  })

  test('adult content is blurred, asks before it is shown, and remembers the answer', async () => {
    const content = await publishFiles(mina, 'Night', [await drawing(300, 200).png().toBuffer()], {
      rating: 'adult',
      warnings: ['violence'],
      warning_text: 'Blood',
    })
    const page = await stage.visit('/hype')
    const cover = page.getByRole('article').filter({ hasText: 'Night' }).locator('img').first()
    await cover.waitFor()
    assert.match(await cover.evaluate((image) => getComputedStyle(image).filter), /blur/)
    await page.getByRole('link', { name: 'Night' }).first().click()
    await page.getByText('For adults').waitFor()
    await page.getByText('Violence').waitFor()
    await page.getByText('Blood').waitFor()
    const picture = page.getByRole('main').locator(`img[src*="${content.media[0]?.url ?? '-'}"]`)
    assert.equal(await picture.count(), 0)
    await assertSound(page)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await picture.first().waitFor()
    await page.reload()
    await picture.first().waitFor()
    assert.equal(await page.getByText('For adults').count(), 0)
  })

  test('a creator likes, pins and hides comments, shows one again, and closes the comments', async () => {
    const content = await publishArticle(mina, 'Open for questions')
    for (const body of ['Good question', 'Rude remark', 'Last word']) {
      await joon.plaza.comments.create(content.id, { body })
    }
    const page = await stage.visit(`/contents/${content.id}`, mina)
    const comment = (body: string) =>
      page.getByRole('article').filter({ hasText: body, has: page.getByRole('button') })
    await comment('Good question').getByRole('button', { name: 'Like comment' }).click()
    await comment('Good question').getByRole('button', { name: 'Like comment, 1' }).waitFor()
    const choose = async (body: string, item: string) => {
      await comment(body).getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Good question', 'Pin to top')
    await comment('Good question').getByText('Pinned').waitFor()
    await choose('Rude remark', 'Hide')
    await page.getByText('Comment hidden').waitFor()
    await page.getByRole('heading', { name: '2 comments' }).waitFor()

    const visitor = await stage.visit(`/contents/${content.id}`)
    const shown = visitor.locator('#comments article')
    await shown.filter({ hasText: 'Last word' }).waitFor()
    assert.match((await shown.first().textContent()) ?? '', /Pinned.*Good question/)
    assert.equal(await visitor.getByText('Rude remark').count(), 0)

    await page.getByText('Comments you hid').click()
    await page.getByRole('button', { name: 'Show again' }).click()
    await page.getByRole('heading', { name: '3 comments' }).waitFor()
    await page.goto(`${stage.app.url}/publish/${content.id}`)
    await page.getByLabel('Comments').selectOption('closed')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Changes saved.').waitFor()
    await visitor.reload()
    await visitor.getByText('The creator closed the comments.').waitFor()
    await visitor.getByText('Rude remark').waitFor()
    await assertSound(visitor)
  })

  test('the statistics of a creator without numbers lead to publishing', async () => {
    const page = await stage.visit('/library?list=stats', joon)
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: 'No numbers in this range yet' }).waitFor()
    await assertSound(page)
    await main.getByRole('link', { name: 'Publish a work' }).last().click()
    await page.getByRole('heading', { level: 1, name: 'Publish a work' }).waitFor()
  })

  test('the statistics show the numbers of each day, and download as CSV', async () => {
    await joon.plaza.contents.like(walk.id)
    const reader = await stage.visit(`/contents/${walk.id}`, joon)
    await reader.getByText('It rained').waitFor()
    await stage.app.deps.views.flush()
    const page = await stage.visit('/library?list=stats', mina)
    await page.getByRole('button', { name: 'Likes 1' }).click()
    await page.getByRole('table', { name: 'Likes' }).waitFor()
    const counts = await page.getByRole('table').getByRole('cell').allTextContents()
    assert.deepEqual([counts.length, counts.at(-1)], [28, '1'])
    await assertSound(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
    assert.equal(lines[0], 'date,views,plays,likes,comments,follows')
    assert.equal(lines.length, 29)
    assert.match(lines.at(-1) ?? '', /^\d{4}-\d\d-\d\d,\d+,0,1,\d+,0$/)
    await page.getByRole('link', { name: walk.title }).click()
    await page.waitForURL(`**/library?*content=${walk.id}*`)
    await page.getByRole('button', { name: '7 days' }).click()
    await page.getByRole('button', { name: 'Likes 1' }).waitFor()
  })
})
