import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { assertFits, publishArticle, setStage } from './stage.ts'

/** Minimum size of touch targets in pixels, by WCAG 2.2, success criterion 2.5.8. */
const TARGET = 24

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  // Twice the usual default font size of 16 pixels.
  const large = await setStage({}, ['--blink-settings=defaultFontSize=32'])
  const stage = await setStage()
  const mina = await stage.member('mina', '미나')
  const article = await publishArticle(mina, '강가를 걷다')
  const { post } = await mina.plaza.posts.create({ body: '안녕하세요, https://example.com @mina' })
  await mina.plaza.posts.create({ body: 'Good morning, https://example.com and @mina' })
  await mina.plaza.posts.createReply(post.id, { body: 'Good evening' })
  await mina.plaza.comments.create(article.id, { body: 'See https://example.com' })
  const reader = await large.member('reader', 'Reader')

  test('icons and controls grow with a large font and stay clear of the edges', async () => {
    for (const { width, expected } of [
      { width: 390, expected: 44 },
      { width: 1280, expected: 44 },
      { width: 2100, expected: 44 },
    ]) {
      const page = await large.visit('/community', reader, { width, height: 900 })
      await page.getByRole('heading', { level: 1, name: 'Community' }).waitFor()
      const places = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
      const icons = places.filter({ hasText: 'Community' }).locator('svg')
      assert.equal((await icons.boundingBox())?.width, expected)
      const touching = await places.evaluateAll((links) =>
        links.flatMap((link) => {
          const text = link.querySelector('span')
          if (!text || text.getBoundingClientRect().width <= 1) return []
          const range = document.createRange()
          range.selectNodeContents(text)
          const { left, right } = range.getBoundingClientRect()
          const box = link.getBoundingClientRect()
          const edge = link.closest('nav')?.getBoundingClientRect() ?? box
          const isInside = left >= edge.left + 4 && right <= edge.right - 4 && right <= innerWidth
          return isInside ? [] : [`${link.textContent}: ${left} to ${right}`]
        }),
      )
      assert.deepEqual(touching, [], `at ${width} px`)
      const cut = await page
        .locator('header, nav')
        .locator('a, button')
        .evaluateAll((elements) =>
          elements
            .map((element) => element.getBoundingClientRect().right)
            .filter((right) => right > innerWidth),
        )
      assert.deepEqual(cut, [], `at ${width} px`)
      await assertFits(page)
      await page.context().close()
    }
  })

  test('in a low window the bars take less than a quarter of the height', async () => {
    const page = await stage.visit('/community', undefined, { width: 720, height: 450 })
    await page.getByRole('article').first().waitFor()
    const bars = [page.getByRole('banner'), page.getByRole('navigation', { name: 'Main' })]
    const heights = await Promise.all(bars.map(async (bar) => (await bar.boundingBox())?.height))
    const sum = heights.reduce<number>((total, height) => total + (height ?? Number.NaN), 0)
    assert.ok(sum > 0 && sum < 450 / 4, `${sum} of 450 px`)
    await assertFits(page)
  })

  test('touch targets on a phone are at least 24 px high and wide', async () => {
    for (const path of ['/', '/community', `/posts/${post.id}`, `/contents/${article.id}`]) {
      const page = await stage.visit(path, mina, { width: 390, height: 844 })
      await page.waitForLoadState('networkidle')
      await page.locator('[class*="_bone_"]').first().waitFor({ state: 'detached' })
      await page.getByRole('link', { name: '미나' }).first().waitFor()
      assert.deepEqual(await smallTargetsOf(page), [], path)
      await page.context().close()
    }
  })

  test('every post has a heading, and a lang attribute when it differs from the page', async () => {
    const page = await stage.visit('/community', undefined)
    await page.getByRole('article').first().waitFor()
    const posts = page.getByRole('region', { name: 'Timeline' }).getByRole('article')
    assert.equal(await posts.count(), 2)
    assert.equal(await posts.getByRole('heading', { level: 2, name: '미나' }).count(), 2)
    const korean = posts.filter({ hasText: '안녕하세요' }).locator('[lang]')
    assert.deepEqual(
      await korean.evaluateAll((elements) => elements.map((text) => text.getAttribute('lang'))),
      ['ko'],
    )
    assert.equal(await posts.filter({ hasText: 'Good morning' }).locator('[lang]').count(), 0)
    await page.goto(`${stage.app.url}/posts/${post.id}`)
    await page.getByRole('heading', { level: 2, name: '미나' }).waitFor()
    await page.getByRole('heading', { level: 3, name: '미나' }).waitFor()

    await page.goto(stage.app.url)
    assert.equal(await page.getByRole('link', { name: '강가를 걷다' }).getAttribute('lang'), 'ko')
    await page.getByRole('navigation', { name: 'Sort by' }).waitFor()
    const inKorean = await stage.visit(`/contents/${article.id}`, undefined, { language: 'ko' })
    await inKorean.getByRole('heading', { level: 1, name: '강가를 걷다' }).waitFor()
    const langs = await inKorean
      .locator('main [lang]')
      .evaluateAll((elements) =>
        elements.map((text) => `${text.getAttribute('lang')}: ${text.textContent}`),
      )
    assert.ok(
      langs.some((text) => text.startsWith('en: It rained')),
      langs.join(),
    )
    assert.ok(
      langs.every((text) => text.startsWith('en: ')),
      langs.join(),
    )
  })
})

/**
 * Returns visible links and buttons below the minimum size. A link that covers a whole card has the card's
 * size.
 */
function smallTargetsOf(page: Page): Promise<string[]> {
  return page.locator('a, button, input, summary').evaluateAll(
    (elements, least) =>
      elements.flatMap((element) => {
        const { width, height } = element.getBoundingClientRect()
        const isUnseen = element.closest('.unseen, [aria-hidden="true"]') !== null
        if (isUnseen || width <= 1 || height === 0) return []
        const isSmall = Math.ceil(width) < least || height < least - 0.1
        return isSmall ? [`${element.textContent} ${width} x ${height}`] : []
      }),
    TARGET,
  )
}
