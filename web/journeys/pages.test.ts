/**
 * Checks every page for errors, accessibility and sideways scrolling: in Korean and light mode at 1280
 * pixels, and in English and dark mode at 320 pixels. Also checks sideways scrolling in Korean at 768 and
 * 320 pixels, and the pages shown when loading fails.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import {
  assertFits,
  assertSound,
  type Member,
  setStage,
  violationsOf,
  publishArticle,
} from './stage.ts'

const PATHS = JSON.parse(
  readFileSync(new URL('../src/paths.json', import.meta.url), 'utf8'),
) as string[]

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', '미나')
  const joon = await stage.member('joon', 'Joon')
  const world = await makeWorld(mina, joon)
  const boss = await stage.admin('boss', 'Boss')
  const { users } = await boss.plaza.users.list({ q: 'mina' })
  await boss.plaza.site.updatePage('terms', {
    title: { ko: '이용약관', en: 'Terms' },
    body: { ko: '# 약속\n\n- 하나\n- 둘', en: '# Terms\n\n1. One\n2. Two' },
    revision: 0,
  })
  await boss.plaza.registration.createInvite({ note: 'River' })
  await boss.plaza.registration.createBan({ kind: 'email_domain', value: 'spam.example' })
  const decision = await govern(boss, mina, joon, world.post)

  const addressOf = (path: string): [address: string, member: Member | undefined] => {
    if (path.startsWith('/moderation')) return [path, boss]
    if (path.startsWith('/admin')) return [path.replace('$id', users[0]?.id ?? ''), boss]
    const known = path
      .replace('/contents/$id', `/contents/${world.content}`)
      .replace('/publish/$id', `/publish/${world.content}`)
      .replace('/decisions/$id', `/decisions/${decision}`)
      .replace('/posts/$id', `/posts/${world.post}`)
      .replace('/messages/$id', `/messages/${world.conversation}`)
      .replace('$handle', 'mina')
      .replace('$tag', 'seoul')
      .replace('$slug', 'terms')
      .replace('$app_id', world.app)
      .replace('$webhook_id', world.webhook)
      .replace(/^\/(reset-password|verify-email|undo-email)$/, '/$1#token=a')
    return [known, path.startsWith('/sign-') ? undefined : mina]
  }

  const open = new Map<string, Promise<Page>>()
  const goTo = async (address: string, member: Member | undefined, language: 'ko' | 'en') => {
    const window = `${member?.handle} ${language}`
    let opened = open.get(window)
    if (!opened) open.set(window, (opened = stage.visit(address, member, { language })))
    const page = await opened
    await page.goto(stage.app.url + address)
    await settled(page)
    return page
  }
  const show = async (page: Page, colorScheme: 'light' | 'dark', width: number) => {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
  }

  for (const path of PATHS) {
    test(`${path} works in both themes, both languages and three sizes`, async () => {
      const [address, member] = addressOf(path)
      const korean = await goTo(address, member, 'ko')
      await show(korean, 'light', 1280)
      await assertSound(korean)
      assert.equal(await korean.locator('h1').count(), 1)
      assert.deepEqual(await skippedOf(korean), [])
      assert.notEqual(await korean.title(), 'Plaza')
      await show(korean, 'dark', 768)
      await assertFits(korean)
      await show(korean, 'light', 320)
      await assertFits(korean)

      const english = await goTo(address, member, 'en')
      await show(english, 'dark', 320)
      await assertSound(english)
      assert.equal(await english.locator('html').getAttribute('lang'), 'en')
      assert.doesNotMatch(
        await wordsOf(english),
        /[가-힣]/,
        'the English page should have no Korean text',
      )
    })
  }

  test('a link with tracking parameters opens the page without them', async () => {
    const page = await stage.visit('/hype?sort=popular&found_at=somewhere', undefined)
    await page.getByRole('link', { name: 'Popular' }).waitFor()
    assert.equal(
      await page.getByRole('link', { name: 'Popular' }).getAttribute('aria-current'),
      'page',
    )
    assert.equal(new URL(page.url()).search, '?sort=popular')
  })

  test('an unknown address shows the 404 page with status 404', async () => {
    const page = await stage.visit('/', undefined)
    const answer = await page.goto(`${stage.app.url}/nowhere/at/all`)
    assert.equal(answer?.status(), 404)
    await page.getByRole('heading', { level: 1, name: /Page not found/ }).waitFor()
    assert.deepEqual(await violationsOf(page), [])
    await page.goto(`${stage.app.url}/contents/nothing`)
    await page.getByRole('heading', { level: 1, name: /Page not found/ }).waitFor()
    await page.getByText('Details').click()
    await page.getByText(/^CONTENT_NOT_FOUND · Request ID \S+$/).waitFor()
  })

  test('opening a page offline waits for the connection and keeps the current page', async () => {
    const page = await stage.visit('/', mina)
    await settled(page)
    await page.context().setOffline(true)
    await page.getByRole('status').getByText("You're offline.").waitFor()
    await page.getByRole('button', { name: 'Your menu, 미나' }).click()
    await page.getByRole('link', { name: 'Library' }).click()
    // Waits long enough for a failed navigation to reach the browser's error page.
    await page.waitForTimeout(500)
    await assertSound(page)
    await page.context().setOffline(false)
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/library')
  })

  test('pages open when the browser reports offline but the server responds', async () => {
    const page = await stage.visit('/', mina)
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false }),
    )
    await page.reload()
    await page.getByRole('link', { name: 'Hype', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Hype' }).waitFor()
    await settled(page)
  })

  test('a page shows an error while the server is down and opens on retry', async () => {
    const page = await stage.visit('/', mina)
    await settled(page)
    const away = (route: Route) => route.fulfill({ status: 502, body: 'Bad Gateway' })
    await page.route('**/*', away)
    await page.getByRole('link', { name: 'Library' }).click()
    await page.getByRole('alert').getByText("The server isn't responding.").waitFor()
    await page.getByRole('heading', { level: 1, name: "Couldn't open this page" }).waitFor()
    assert.deepEqual(await violationsOf(page), [])
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').getByText("The server isn't responding.").waitFor()
    // The home page opens without the server, because its code is already loaded.
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByRole('link', { name: 'Hype', exact: true }).click()
    await page.getByRole('alert').getByText("The server isn't responding.").waitFor()
    await page.unroute('**/*', away)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Hype' }).waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'Library' }).click()
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/library')
  })

  test('blocked style sheets of other origins do not keep pages from opening', async () => {
    const page = await stage.visit('/', mina)
    await settled(page)
    let loads = 0
    page.on('load', () => loads++)
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          const link = Object.assign(document.createElement('link'), { rel: 'stylesheet' })
          link.addEventListener('error', resolve)
          link.href = 'https://styles.example/translate.css'
          document.head.append(link)
        }),
    )
    await page.getByRole('link', { name: 'Community' }).click()
    await page.getByRole('heading', { level: 1, name: 'Community' }).waitFor({ state: 'attached' })
    assert.equal(loads, 0)
  })

  test('a page missing from the server’s newer client reloads everything once', async () => {
    const page = await stage.visit('/', mina)
    await settled(page)
    let loads = 0
    page.on('load', () => loads++)
    const gone = (route: Route) => route.fulfill({ status: 404, body: '' })
    await page.route('**/assets/Community-*', gone)
    await page.getByRole('link', { name: 'Community' }).click()
    await page.getByRole('alert').getByText('Something went wrong.').waitFor()
    assert.equal(loads, 1)
    await page.unroute('**/assets/Community-*', gone)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Community' }).waitFor({ state: 'attached' })
    assert.equal(loads, 2)
  })

  test('the current tab is fully visible in a narrow window', async () => {
    const page = await stage.visit('/library?list=posts', mina, { width: 240 })
    await settled(page)
    const part = page.getByRole('link', { name: 'Your posts' })
    const { x = 0, width = 0 } = (await part.boundingBox()) ?? {}
    assert.ok(width > 0 && x >= 0 && x + width <= 240, `tab from ${x} to ${x + width} px`)
  })
})

/** Returns the page's text without the Korean name in the test data. All other test data is in English. */
async function wordsOf(page: Page): Promise<string> {
  const words = await page.locator('main').innerText()
  return words.replaceAll('미나', '')
}

async function skippedOf(page: Page): Promise<string[]> {
  const tags = await page
    .locator('h1, h2, h3, h4, h5, h6')
    .evaluateAll((headings) =>
      headings.map(({ tagName, textContent }) => `${tagName} ${textContent}`),
    )
  const levelOf = (tag: string | undefined) => Number(tag?.[1] ?? 0)
  return tags.filter((tag, index) => levelOf(tag) > levelOf(tags[index - 1]) + 1)
}

async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor({ state: 'attached' })
  await page.locator('[class*="_bone_"]').first().waitFor({ state: 'detached' })
}

async function makeWorld(mina: Member, joon: Member) {
  const body = 'It rained, and then it did not.\n\nSo we walked on.'
  const content = await publishArticle(mina, undefined, { body, tags: ['seoul'] })
  const { comment } = await joon.plaza.comments.create(content.id, { body: 'Lovely.' })
  await mina.plaza.comments.create(content.id, { body: 'Thank you!', parent_id: comment.id })
  await joon.plaza.contents.like(content.id)
  await joon.plaza.creators.follow('mina')
  const { post } = await mina.plaza.posts.create({ body: 'Good morning, everybody.' })
  await joon.plaza.posts.createReply(post.id, { body: 'Good morning!' })
  const { conversation } = await joon.plaza.conversations.create({ handle: 'mina' })
  await joon.plaza.conversations.sendMessage(conversation.id, { body: 'Shall we go for a walk?' })
  const { app } = await mina.plaza.apps.create({
    app_name: 'River',
    app_type: 'server',
    scopes: ['contents:read', 'webhooks:manage'],
  })
  await mina.plaza.keys.create(app.id, { key_name: 'first', environment: 'live' })
  await mina.plaza.legacyKeys.create({ key_name: 'home server' })
  const { webhook } = await mina.plaza.webhooks.create(app.id, {
    endpoint_url: 'https://example.com/hook',
    events: ['content.published'],
  })
  return {
    content: content.id,
    post: post.id,
    conversation: conversation.id,
    app: app.id,
    webhook: webhook.id,
  }
}

/** Creates a report, a decision about mina with her appeal, and an open case. Returns the decision's id. */
async function govern(boss: Member, mina: Member, joon: Member, post: string): Promise<string> {
  const subject = { kind: 'post', id: post } as const
  await joon.plaza.reports.create({ subject, reason: 'other', note: 'Rude.' })
  const input = { subject, action: 'warn', reason: 'Be kind.' } as const
  const { decision } = await boss.plaza.moderation.createDecision(input)
  await mina.plaza.reports.createAppeal(decision.id, { body: 'I was.' })
  await joon.plaza.reports.create({ subject, reason: 'spam' })
  return decision.id
}
