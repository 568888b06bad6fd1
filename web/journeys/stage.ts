import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { APIRequestContext, Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { type Content, createPlaza, type Plaza } from '#sdk'
import { buildClient } from '../../src/web/build.ts'
import { startApp, type TestApp } from '../../test/app.ts'
import { openBrowser } from '../../test/chromium.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PASSWORD = 'a long walk by the river'
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

export interface Member {
  handle: string
  name: string
  password: string
  plaza: Plaza
}

export interface Look {
  language?: 'ko' | 'en'
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  reducesMotion?: boolean
  /** Opens the page as a phone does, with a touch screen and without a pointer that hovers. */
  isTouch?: boolean
  /** Installs a fake clock, so that a test can skip waiting for polls with `page.clock`. */
  movesTime?: boolean
}

export interface Stage {
  app: TestApp
  /** Administrator of the site. The account exists even if new accounts need an invite or an approval. */
  operator: Member
  member(handle: string, name: string): Promise<Member>
  admin(handle: string, name: string): Promise<Member>
  visit(path: string, member?: Member, look?: Look): Promise<Page>
}

/** Starts a server with the web client, and a browser. Call it at the top level of a test file. */
export async function setStage(
  env: Record<string, string> = {},
  browserArgs: string[] = [],
): Promise<Stage> {
  // Builds the client first, because the build takes longer than the page timeout and reports its own errors.
  await buildClient()
  const app = await startApp(env, { servesClient: true })
  // Creates an administrator first. Without one, the home page redirects to the setup.
  const operator = await enter(app.url, await app.admin())
  const browser = await openBrowser(browserArgs)
  return {
    app,
    operator,
    member: (handle, name) => join(app.url, handle, name),
    admin: async (handle, name) => {
      const member = await join(app.url, handle, name)
      const { user } = await member.plaza.me.get()
      await operator.plaza.users.update(user.id, { role: 'admin' })
      return member
    },
    visit: (path, member, look) => visit(browser, app.url, path, look, member),
  }
}

export async function visit(
  browser: Browser,
  url: string,
  path: string,
  look: Look = {},
  member?: Member,
): Promise<Page> {
  const context = await newContext(browser, url, look, member)
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  watch(page)
  if (look.movesTime) await page.clock.install()
  await page.goto(url + path)
  return page
}

async function join(url: string, handle: string, display_name: string): Promise<Member> {
  const plaza = createPlaza({ url, language: 'en' })
  const captcha_token = await plaza.solveCaptcha()
  await plaza.register({
    handle,
    email: `${handle}@example.com`,
    password: PASSWORD,
    display_name,
    captcha_token,
  })
  return { handle, name: display_name, password: PASSWORD, plaza }
}

async function enter(
  url: string,
  { handle, password }: { handle: string; password: string },
): Promise<Member> {
  const plaza = createPlaza({ url, language: 'en' })
  await plaza.signIn({ identifier: handle, password })
  return { handle, name: handle, password, plaza }
}

/** Waits until the network is idle, at most ten seconds, because the request of a playing video can stay open. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 10_000 }).catch(() => {})
}

type NewContent = Parameters<Plaza['contents']['create']>[0]

export async function publishArticle(
  { plaza }: Member,
  title = 'A walk along the river',
  over: Partial<NewContent> = {},
): Promise<Content> {
  const body = 'It rained, and then it did not.'
  const content = { category: 'hype', type: 'article', title, body, ...over } as const
  return (await plaza.contents.create(content)).content
}

/** Uploads these files and publishes them as a content, which is a picture unless `over` has another type. */
export async function publishFiles(
  { plaza }: Member,
  title: string,
  files: readonly Buffer[],
  over: Partial<NewContent> = {},
): Promise<Content> {
  const upload_ids: string[] = []
  for (const bytes of files) {
    upload_ids.push((await plaza.upload(new File([new Uint8Array(bytes)], 'river'))).id)
  }
  const content = { category: 'hype', type: 'image', title, upload_ids, ...over } as const
  return (await plaza.contents.create(content)).content
}

/** Adds a device that stores passkeys and confirms its user without a prompt. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Fills in a sign-in form and sends it. */
export async function enterPassword(
  form: Page | Locator,
  { handle, password }: Pick<Member, 'handle' | 'password'>,
): Promise<void> {
  await form.getByLabel('Handle or email').fill(handle)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Sign in', exact: true }).last().click()
}

/**
 * Creates a browser context. For a user, the context contains the session cookies and the session marker in
 * localStorage.
 */
async function newContext(
  browser: Browser,
  url: string,
  look: Look,
  member: Member | undefined,
): Promise<BrowserContext> {
  const { language = 'en', theme = 'light', width = 1280, height = 800 } = look
  const { reducesMotion, isTouch = false } = look
  const mark = { name: 'plaza.session', value: String(Date.now()) }
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: language === 'ko' ? 'ko-KR' : 'en-US',
    reducedMotion: reducesMotion ? 'reduce' : 'no-preference',
    hasTouch: isTouch,
    isMobile: isTouch,
    permissions: ['clipboard-read', 'clipboard-write'],
    ...(member && {
      storageState: { cookies: [], origins: [{ origin: url, localStorage: [mark] }] },
    }),
  })
  if (!member) return context
  const plaza = createPlaza({ url, cookie: true, fetch: fetchOf(context.request) })
  await plaza.signIn({ identifier: member.handle, password: member.password })
  return context
}

/** Returns a `fetch` that sends the browser's cookies. It supports only text bodies. */
function fetchOf(request: APIRequestContext): typeof fetch {
  return async (target, init = {}) => {
    const answer = await request.fetch(String(target), {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' && { data: init.body }),
    })
    return new Response(new Uint8Array(await answer.body()), {
      status: answer.status(),
      headers: answer.headers(),
    })
  }
}

const troubles = new WeakMap<Page, string[]>()

function watch(page: Page): void {
  const found: string[] = []
  troubles.set(page, found)
  page.on('pageerror', (error) => found.push(error.message))
  page.on('console', (message) => {
    // Ignores the browser's log entries for failed requests, because some tests provoke such failures.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      found.push(message.text())
    }
  })
}

export async function assertSound(page: Page): Promise<void> {
  assert.deepEqual(troubles.get(page), [])
  assert.deepEqual(await violationsOf(page), [])
  await assertFits(page)
}

/** Asserts that the page does not scroll sideways. Elements inside the page may scroll. */
export async function assertFits(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  assert.equal(overflow, 0, `${page.url()} scrolls sideways by ${overflow} px`)
}

export async function violationsOf(page: Page): Promise<string[]> {
  // Waits for animations, because axe would otherwise measure colours in the middle of a transition.
  await page.evaluate(async () => {
    await Promise.all(
      document
        .getAnimations()
        .filter((motion) => motion.effect?.getComputedTiming().iterations !== Infinity)
        .map((motion) => motion.finished.catch(() => undefined)),
    )
  })
  // Axe is half a megabyte, so each page loads it once.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  // Passed checks are left out, because serializing them doubles the time.
  const violations = await page.evaluate(
    async (rules) =>
      (
        await (
          globalThis as unknown as { axe: { run(...args: unknown[]): Promise<AxeResults> } }
        ).axe.run(document, { runOnly: rules, resultTypes: ['violations'] })
      ).violations,
    RULES,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${String(target)}: ${failureSummary}`),
  )
}
