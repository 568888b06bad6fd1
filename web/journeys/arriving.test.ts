import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { publishArticle, setStage } from './stage.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const hostile = `</script><b>"'\u202e River`
  const article = await publishArticle(mina, hostile)
  const { post } = await mina.plaza.posts.create({ body: 'A post by the river' })

  /** Opens a page and returns the paths of its API requests. */
  const requestsOf = async (page: Page, path: string, shown: () => Promise<void>) => {
    const paths: string[] = []
    const note = (request: Request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) paths.push(pathname.replace('/api/v1', ''))
    }
    page.on('request', note)
    await page.goto(stage.app.url + path)
    await shown()
    await page.waitForLoadState('networkidle')
    page.off('request', note)
    return paths
  }

  test('a visitor sees the page without its first request', async () => {
    const page = await stage.visit('/rules')
    const link = page.getByRole('link', { name: 'River' })
    for (const [path, request] of [
      ['/', '/feeds'],
      ['/?sort=popular', '/feeds'],
      ['/hype', '/feeds/hype'],
      ['/swipe', '/feeds/swipe'],
      ['/jump', '/feeds/jump'],
      ['/creators/mina', '/creators/mina'],
      ['/community', '/feed'],
      [`/posts/${post.id}`, `/posts/${post.id}/thread`],
      ['/tags/night', '/feeds'],
    ] as const) {
      const shown = async () => {
        await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
        if (path === '/') await link.first().waitFor()
      }
      const paths = await requestsOf(page, path, shown)
      // The page of games lists the newest ones as well, from the same path.
      const times = path === '/jump' ? 1 : 0
      assert.equal(paths.filter((asked) => asked === request).length, times, `${path} ${paths}`)
    }
  })

  test('a content shows at once, and its view counts', async () => {
    const page = await stage.visit('/rules')
    const path = `/contents/${article.id}`
    // The page must not wait for the response.
    await page.route(`**/api/v1${path}`, async (route) => {
      await page.getByRole('heading', { name: 'River' }).waitFor()
      await route.continue()
    })
    await requestsOf(page, path, () => page.getByText('It rained').waitFor())
    await stage.app.deps.views.flush()
    const { content } = await mina.plaza.contents.get(article.id)
    assert.equal(content.view_count, 1)
    assert.equal(await page.locator('b').count(), 0)
  })

  test('a signed-in user gets answers of their own', async () => {
    await mina.plaza.contents.like(article.id)
    const page = await stage.visit('/rules', mina)
    const path = `/contents/${article.id}`
    const paths = await requestsOf(page, path, () => page.getByText('It rained').waitFor())
    assert.ok(paths.includes(path))
    await page.getByRole('button', { name: /like/i, pressed: true }).waitFor()
  })
})
