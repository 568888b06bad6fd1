import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { siteUrl } from '../../src/site-settings.ts'
import { drawing, makeWav } from '../../test/uploads.ts'
import { publishArticle, setStage, publishFiles } from './stage.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const hostile = `</script><b>"'\u202e River`
  const article = await publishArticle(mina, hostile)
  const { post } = await mina.plaza.posts.create({ body: 'A post by the river' })

  /** Opens a page and returns the paths and queries of its API requests. */
  const requestsOf = async (page: Page, path: string, shown: () => Promise<void>) => {
    const paths: string[] = []
    const note = (request: Request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/api/')) paths.push(pathname.replace('/api/v1', '') + search)
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
    for (const [path, inlined] of [
      ['/', '/feeds?page=1&per_page=24&sort=popular'],
      ['/?sort=popular', '/feeds?page=1&per_page=24&sort=popular'],
      ['/hype', '/feeds/hype?page=1&per_page=24&sort=latest'],
      ['/swipe', '/feeds/swipe?page=1&per_page=24&sort=latest'],
      ['/jump', '/feeds/jump?sort=popular&per_page=8'],
      ['/creators/mina', '/creators/mina'],
      ['/creators/mina', '/creators/mina/contents?page=1&per_page=24'],
      ['/community', '/feed'],
      [`/posts/${post.id}`, `/posts/${post.id}/thread`],
      ['/tags/night', '/feeds?page=1&per_page=24&sort=latest&tag=night'],
    ] as const) {
      const shown = async () => {
        await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
        if (path === '/') await link.first().waitFor()
      }
      const asked = await requestsOf(page, path, shown)
      assert.ok(!asked.includes(inlined), `${path} requests ${asked.join(', ')}`)
      const used = await page.locator('script[data-url]').count()
      assert.equal(used, 0, `${path} leaves its answer`)
    }
  })

  test('a content shows at once, and its view counts', async () => {
    const page = await stage.visit('/rules')
    const path = `/contents/${article.id}`
    // Delays the response until the heading is visible, to check that the page does not wait for the response.
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

  test('a phone shows the work before the scripts have loaded, unless its user is signed in', async () => {
    const path = `${stage.app.url}/contents/${article.id}`
    for (const viewer of [undefined, mina]) {
      const page = await stage.visit('/rules', viewer, { width: 390, height: 844 })
      let load = () => {}
      const loading = new Promise<void>((resolve) => (load = resolve))
      await page.route('**/assets/*.js', async (route) => {
        await loading
        await route.continue()
      })
      await page.goto(path, { waitUntil: 'commit' })
      const opening = page.locator('.opening')
      // Waits for the style sheet, which hides the opening or the logo.
      await page.waitForFunction(() => getComputedStyle(document.body).marginTop === '0px')
      assert.equal(await opening.getByText('It rained').isVisible(), viewer === undefined)
      assert.equal(await page.locator('.coming').isVisible(), viewer !== undefined)
      load()
      await page.getByRole('heading', { name: 'River' }).waitFor()
      assert.equal(await opening.count(), 0)
    }
  })

  test('the first render of a page is complete', async () => {
    const page = await stage.visit('/rules')
    await page.addInitScript(() => {
      const headings: (string | null)[] = []
      Object.assign(window, { headings })
      new MutationObserver(() => {
        const heading = document.querySelector('main h1')
        if (heading && headings.at(-1) !== heading.textContent) headings.push(heading.textContent)
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto(`${stage.app.url}/contents/${article.id}`)
    await page.getByText('It rained').last().waitFor()
    await page.waitForLoadState('networkidle')
    const headings = await page.evaluate(
      () => (window as unknown as { headings: unknown }).headings,
    )
    assert.deepEqual(headings, [hostile])
  })

  test('a page shows its text once without scripts, and in the chosen language', async () => {
    const page = await stage.visit('/rules', undefined, { width: 390, height: 844 })
    await page.evaluate(() => localStorage.setItem('plaza.look', '{"language":"ko"}'))
    await page.route('**/assets/*.js', () => {})
    await page.goto(`${stage.app.url}/contents/${article.id}`, { waitUntil: 'commit' })
    await page.waitForFunction(() => getComputedStyle(document.body).marginTop === '0px')
    assert.equal(await page.locator('.opening').isVisible(), false)

    const browser = page.context().browser()
    const plain = await browser?.newPage({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    })
    await plain?.goto(`${stage.app.url}/contents/${article.id}`)
    assert.match((await plain?.locator('noscript').innerText()) ?? '', /It rained/)
    for (const hidden of ['.opening', '.coming']) {
      assert.equal(await plain?.locator(hidden).isVisible(), false)
    }
    await plain?.close()
  })

  test('a signed-in user gets answers of their own', async () => {
    await mina.plaza.contents.like(article.id)
    const page = await stage.visit('/rules', mina)
    const path = `/contents/${article.id}`
    const paths = await requestsOf(page, path, () => page.getByText('It rained').waitFor())
    assert.ok(paths.includes(path))
    await page.getByRole('button', { name: /like/i, pressed: true }).waitFor()
  })

  test('the feed, the sitemap and the search description are XML', async () => {
    const page = await stage.visit('/rules')
    const read = (path: string) =>
      page.evaluate(async (address) => {
        const request = new XMLHttpRequest()
        request.open('GET', address)
        request.responseType = 'document'
        await new Promise((resolve) => {
          request.addEventListener('loadend', resolve)
          request.send()
        })
        // `responseXML` is null when the document is not well-formed.
        const titles = request.responseXML?.querySelectorAll('title')
        return titles && [...titles].map((title) => title.textContent)
      }, path)
    const feed = await read('/feed.atom')
    assert.ok(feed?.includes(hostile.replace('\u202e', '')), feed?.join('\n'))
    for (const path of ['/sitemap.xml', '/sitemap-1.xml', '/sitemap-3.xml', '/opensearch.xml']) {
      assert.deepEqual(await read(path), [], path)
    }
  })

  /** Returns the HTML with which oEmbed embeds a content item in other sites. Undefined when oEmbed returns 404. */
  const frameOf = async (id: string): Promise<string | undefined> => {
    const base = siteUrl(stage.app.deps.config)
    const target = encodeURIComponent(`${base}/contents/${id}`)
    const answer = await fetch(`${stage.app.url}/oembed?format=json&url=${target}`)
    if (answer.status === 404) return undefined
    // The HTML contains the configured address, which lacks the port of the test server.
    return ((await answer.json()) as { html: string }).html.replaceAll(base, stage.app.url)
  }
  const blogWith = async (html = ''): Promise<string> => {
    const blog = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><link rel="icon" href="data:,"><h1>Blog</h1>${html}`)
    })
    blog.listen(0, 'localhost')
    await once(blog, 'listening')
    after(() => blog.close())
    return `http://localhost:${(blog.address() as AddressInfo).port}/`
  }

  test('a page of another site plays audio in a frame without cookies, unless its creator forbids it', async () => {
    const content = await publishFiles(mina, 'Waves', [makeWav(5)], { type: 'audio' })
    const page = await stage.visit('/rules')
    await page.goto(await blogWith(await frameOf(content.id)))
    const player = page.frameLocator('iframe').locator('audio')
    await player.waitFor()
    await player.evaluate(async (element) => {
      const audio = element as HTMLAudioElement
      audio.muted = true
      await audio.play()
      await new Promise<void>((resolve) =>
        audio.addEventListener('timeupdate', () => audio.currentTime > 0 && resolve()),
      )
    })
    assert.deepEqual(await page.context().cookies(stage.app.url), [])
    await mina.plaza.contents.update(content.id, { embedding: 'nowhere' })
    assert.equal(await frameOf(content.id), undefined)
    const refused = page.waitForResponse((answer) => answer.url().endsWith(`/embed/${content.id}`))
    await page.reload()
    assert.equal((await refused).status(), 404)
    await page.frameLocator('iframe').getByText('This content is not available.').waitFor()
    assert.equal(await player.count(), 0)
  })

  test('a page of another site shows a content in a frame, and adult content after a click', async () => {
    const { operator } = stage
    const drawn = await drawing(300, 200).png().toBuffer()
    const content = await publishFiles(mina, 'A quiet river', [drawn])
    const page = await stage.visit('/rules')
    const src = `${stage.app.url}/embed/${content.id}`
    await page.goto(await blogWith(`<iframe width="640" height="480" src="${src}"></iframe>`))
    const frame = page.frameLocator('iframe')
    const picture = frame.getByRole('img', { name: 'A quiet river' })
    await picture.waitFor()
    const widthOf = () =>
      picture.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0))
    for (let i = 0; i < 50 && (await widthOf()) === 0; i++) await page.waitForTimeout(50)
    assert.equal(await widthOf(), 300)
    assert.deepEqual(await page.context().cookies(stage.app.url), [])
    await operator.plaza.moderation.createDecision({
      subject: { kind: 'content', id: content.id },
      action: 'rate',
      rating: 'adult',
      reason: 'sexual',
    })
    await page.reload()
    const filterOf = () =>
      frame.locator('.veiled').evaluate((element) => getComputedStyle(element).filter)
    await frame.getByText('This is adult content').waitFor()
    assert.match(await filterOf(), /blur/)
    await frame.getByText('This is adult content').click()
    assert.equal(await filterOf(), 'none')
  })
})
