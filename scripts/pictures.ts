/**
 * Takes the screenshots in the README: `npm run pictures`. Uses a new server with the demo data, the built
 * client and Chromium.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { createPlaza, type Plaza } from '#sdk'
import { buildClient } from '../src/web/build.ts'
import { CHROMIUM } from '../test/chromium.ts'
import { serve } from '../test/process.ts'

const root = resolve(import.meta.dirname, '..')
const FOLDER = join(root, 'docs/pictures')
const PASSWORD = 'demo-password-1'
const DAY_MS = 86_400_000
const MOST_BYTES = 120_000

interface Sights {
  video: string
  game: string
  conversation: string
  app: string
}

interface Picture {
  name: string
  path: string | ((sights: Sights) => string)
  as: 'demo' | 'demo_admin'
  language: 'ko' | 'en'
  theme: 'light' | 'dark'
  width: number
  height: number
  act?: (page: Page) => Promise<void>
}

interface Picturing {
  complete: boolean
  getBoundingClientRect(): { top: number }
}

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 780 }

const USUAL = { as: 'demo', language: 'en', theme: 'light', ...DESKTOP } as const

const PICTURES: Picture[] = [
  { ...USUAL, name: 'home', path: '/?sort=popular' },
  { ...USUAL, name: 'work', path: ({ video }) => video, language: 'ko', theme: 'dark' },
  { ...USUAL, name: 'game', path: ({ game }) => game, act: playForAWhile },
  { ...USUAL, name: 'messages', path: ({ conversation }) => conversation, language: 'ko' },
  { ...USUAL, name: 'console', path: ({ app }) => app },
  { ...USUAL, name: 'admin', path: '/admin', as: 'demo_admin', theme: 'dark' },
  {
    ...USUAL,
    ...PHONE,
    name: 'swipe',
    path: '/swipe?sort=popular',
    language: 'ko',
    theme: 'dark',
    act: watchForAWhile,
  },
  { ...USUAL, ...PHONE, name: 'community', path: '/community', language: 'ko' },
]

await buildClient()
const dataDir = mkdtempSync(join(tmpdir(), 'plaza-pictures-'))
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
const made = spawnSync(process.execPath, [join(root, 'bin/plaza.mjs'), 'demo'], {
  env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
  stdio: 'inherit',
})
if (made.status !== 0) throw new Error(`plaza demo exited with ${made.status}`)
const server = await serve({ DATA_DIR: dataDir, LOG_LEVEL: 'warn', WEB: 'on' })
const browser = await chromium.launch({
  ...(CHROMIUM && { executablePath: CHROMIUM }),
  args: ['--use-angle=swiftshader', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
})
try {
  mkdirSync(FOLDER, { recursive: true })
  const sights = await look(server.url)
  for (const picture of PICTURES) await take(browser, server.url, picture, sights)
} finally {
  await browser.close()
  server.child.kill('SIGTERM')
  await server.ended
}

async function look(url: string): Promise<Sights> {
  const plaza = createPlaza({ url, language: 'en' })
  await plaza.signIn({ identifier: 'demo', password: PASSWORD })
  const { feeds: contents } = await plaza.feeds.listHype({ sort: 'popular', per_page: 100 })
  const videos = contents.filter(
    ({ type, media, comment_count }) => type === 'video' && media.length > 0 && comment_count > 0,
  )
  const [video] = videos.toSorted((a, b) => b.like_count - a.like_count)
  const { feeds: games } = await plaza.feeds.listJump({ sort: 'popular', per_page: 100 })
  const game = games.find((content) => content.game?.runtime === 'html5')
  if (!video || !game)
    throw new Error('the demo has no video with comments or no game: is ffmpeg installed?')
  return {
    video: `/contents/${video.id}`,
    game: `/contents/${game.id}`,
    conversation: `/messages/${await longestConversation(plaza)}`,
    app: `/devconsole/apps/${await makeApp(plaza, url)}`,
  }
}

async function longestConversation(plaza: Plaza): Promise<string> {
  const { conversations } = await plaza.conversations.list()
  const news = conversations.filter(({ unread_count }) => unread_count > 0)
  const lengths = await Promise.all(
    (news.length > 0 ? news : conversations).map(async ({ id }) => {
      const { messages } = await plaza.conversations.listMessages(id)
      return { id, length: messages.length }
    }),
  )
  const [longest] = lengths.toSorted((a, b) => b.length - a.length)
  if (!longest) throw new Error('the demo has no conversation')
  return longest.id
}

async function makeApp(plaza: Plaza, url: string): Promise<string> {
  const { app } = await plaza.apps.create({
    app_name: 'Studio uploader',
    app_type: 'server',
    description: 'Publishes what the studio has rendered.',
    scopes: ['contents:read', 'contents:write', 'jump:read', 'webhooks:manage'],
  })
  const app_id = app.id
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
  const old = await plaza.keys.create(app_id, { key_name: 'Old laptop', environment: 'live' })
  await plaza.keys.revoke(old.key.id)
  await plaza.keys.create(app_id, {
    key_name: 'Weekend workshop',
    environment: 'test',
    scopes: ['contents:read'],
    expires_at: inDays(3),
  })
  await plaza.keys.create(app_id, { key_name: 'Preview builds', environment: 'test' })
  const render = await plaza.keys.create(app_id, {
    key_name: 'Render farm',
    environment: 'live',
    scopes: ['contents:read', 'contents:write'],
    expires_at: inDays(90),
  })
  const frame = sharp({ create: { width: 16, height: 9, channels: 3, background: '#335577' } })
  const file = new File([new Uint8Array(await frame.png().toBuffer())], 'frame.png')
  await createPlaza({ url, apiKey: render.raw_key ?? '' }).upload(file)
  await plaza.webhooks.create(app_id, {
    endpoint_url: 'https://example.com/webhooks/plaza',
    events: ['content.published', 'comment.created'],
  })
  return app_id
}

async function playForAWhile(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Play / }).click()
  await page.getByText('The game has your keyboard').waitFor()
  await page.keyboard.press('Space')
  await page.waitForTimeout(2000)
}

async function watchForAWhile(page: Page): Promise<void> {
  await page.locator('article:not([inert]) h2').waitFor()
  const video = page.locator('article:not([inert]) video')
  const hasRun = () =>
    video.evaluate((clip: unknown) => (clip as { currentTime: number }).currentTime > 1)
  while ((await video.count()) > 0 && !(await hasRun())) await page.waitForTimeout(200)
  await page.waitForLoadState('networkidle')
}

/**
 * Returns true if all images have loaded. Does not wait. Ignores images below the viewport, because they load lazily.
 */
function hasPictures(page: Page): Promise<boolean> {
  const within = page.viewportSize()?.height ?? 0
  return page
    .locator('img:visible')
    .evaluateAll(
      (images, end) =>
        (images as unknown as Picturing[]).every(
          (image) => image.complete || image.getBoundingClientRect().top > end,
        ),
      within,
    )
}

async function take(
  within: Browser,
  url: string,
  { name, path, as, language, theme, width, height, act }: Picture,
  sights: Sights,
): Promise<void> {
  const context = await within.newContext({
    viewport: { width, height },
    deviceScaleFactor: 1.5,
    colorScheme: theme,
    locale: language === 'ko' ? 'ko-KR' : 'en-US',
  })
  const page = await context.newPage()
  await signIn(page, url, as)
  const address = typeof path === 'string' ? path : path(sights)
  await page.goto(url + address, { waitUntil: 'networkidle' })
  await act?.(page)
  while (!(await hasPictures(page))) await page.waitForTimeout(200)
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toBuffer()
  if (picture.length > MOST_BYTES) throw new Error(`${name} has ${picture.length} bytes`)
  const file = join(FOLDER, `${name}.webp`)
  writeFileSync(file, picture)
  console.log(file)
  await context.close()
}

async function signIn(page: Page, url: string, identifier: string): Promise<void> {
  await page.goto(`${url}/sign-in`, { timeout: 120_000 })
  await page.locator('input[name="identifier"]').fill(identifier)
  await page.locator('input[type="password"]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(({ pathname }) => pathname !== '/sign-in')
}
