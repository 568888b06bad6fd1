import assert from 'node:assert/strict'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { buildClient, ROOT } from '../../src/web/build.ts'
import { pathsFileOf, readClient } from '../../src/web/client.ts'
import { openBrowser, withoutChromium } from '../../test/chromium.ts'
import { temporaryFolder } from '../../test/files.ts'
import { serveClient } from '../../test/pages.ts'
import { until } from '../../test/receiver.ts'
import { assertSound, publishArticle, setStage, visit } from './stage.ts'

const RELEASED = 'Skip to the content of this page'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const joon = await stage.member('joon', 'Joon')
  const article = await publishArticle(mina)

  test('the site can be installed: its manifest is valid, and its icons have the declared sizes', async () => {
    const page = await stage.visit('/')
    const browser = await page.context().newCDPSession(page)
    const { errors, data } = await browser.send('Page.getAppManifest')
    assert.deepEqual(errors, [])
    const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
    // Tests run in private windows, from which Chromium installs no sites.
    const kinds = installabilityErrors.map(({ errorId }) => errorId)
    assert.deepEqual(
      kinds.filter((kind) => kind !== 'in-incognito'),
      [],
    )
    const { icons, display } = JSON.parse(data ?? '')
    assert.equal(display, 'standalone')
    const links = await page
      .locator('link[rel="apple-touch-icon"]')
      .evaluateAll((found) => found.map((link) => (link as HTMLLinkElement).href))
    const declared = [
      ...icons.map((icon: { src: string; sizes: string }) => [icon.src, icon.sizes]),
      ...links.map((href) => [href, '180x180']),
    ]
    assert.deepEqual(declared.map(([, size]) => size).sort(), [
      '180x180',
      '192x192',
      '512x512',
      '512x512',
    ])
    for (const [source, sizes] of declared) {
      const answer = await fetch(new URL(source, stage.app.url))
      const { format, width, height } = await sharp(await answer.bytes()).metadata()
      assert.deepEqual([format, `${width}x${height}`], ['png', sizes])
    }
  })

  test('offline, every address shows its own page, which opens with the connection', async () => {
    const page = await stage.visit('/', joon)
    await untilStored(page)
    await page.context().setOffline(true)
    for (const [path, name] of [
      ['/library', 'Library'],
      ['/community', 'Community'],
    ] as const) {
      await page.goto(stage.app.url + path)
      await page.getByText('This page opens as soon as').waitFor()
      assert.equal(new URL(page.url()).pathname, path)
      assert.equal(await page.title(), `${name} - Plaza`)
    }
    await page.goto(`${stage.app.url}/contents/${article.id}`)
    await page.getByRole('heading', { level: 1, name: "You're offline" }).waitFor()
    await assertSound(page)
    await page.context().setOffline(false)
    await page.getByRole('heading', { level: 1, name: article.title }).waitFor()
    assert.equal(new URL(page.url()).pathname, `/contents/${article.id}`)
  })

  test('signing out leaves nothing of the user in the caches, which only have the shell', async () => {
    const page = await stage.visit('/messages', joon)
    await untilStored(page)
    const served = new Map<string, boolean>()
    page.on('response', (answer) => {
      served.set(new URL(answer.url()).pathname, answer.fromServiceWorker())
    })
    for (const path of ['/notifications', `/contents/${article.id}`]) {
      await page.goto(stage.app.url + path)
      await page.waitForLoadState('networkidle')
    }
    await page.getByRole('button', { name: 'Your menu, Joon' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    const { names, paths, texts } = await page.evaluate(async () => {
      const stored = await caches.keys()
      const cache = await caches.open(String(stored[0]))
      const requests = await cache.keys()
      return {
        names: stored,
        paths: requests.map(({ url }) => new URL(url).pathname),
        texts: await Promise.all(
          requests.map(async (request) => (await cache.match(request))?.text()),
        ),
      }
    })
    const answers = [...served].filter(([path]) => path.startsWith('/api/'))
    assert.ok(answers.length > 3 && answers.every(([, isFromWorker]) => !isFromWorker))
    assert.equal(served.get('/notifications'), true)
    assert.equal(names.length, 1)
    assert.deepEqual(
      paths.filter((path) => path !== '/offline' && !/^\/assets\/[\w.-]+$/.test(path)),
      [],
    )
    assert.ok(paths.includes('/offline') && paths.length > 2, paths.join())
    assert.ok(texts.every((text) => !text?.includes('Joon')))
  })

  test('after a release the next visit gets the new version, online and offline', async () => {
    const before = await readClient((await buildClient()).folder, pathsFileOf(ROOT))
    const root = copyClient()
    const words = join(root, 'web/src/shell/texts.ts')
    writeFileSync(words, readFileSync(words, 'utf8').replace("'Skip to content'", `'${RELEASED}'`))
    const later = await readClient((await buildClient({ root })).folder, pathsFileOf(root))
    const [older, newer] = [
      await serveClient(stage.app, Promise.resolve(before)),
      await serveClient(stage.app, Promise.resolve(later)),
    ]
    let served = older
    const url = await startProxy(() => served)
    const page = await visit(await openBrowser(), url, '/')
    await untilStored(page)
    await page.getByRole('link', { name: 'Skip to content', exact: true }).waitFor()
    const [stored] = await page.evaluate(() => caches.keys())

    served = newer
    await page.reload()
    await page.getByRole('link', { name: RELEASED }).waitFor()
    await until(
      async () => !(await page.evaluate(() => caches.keys())).includes(String(stored)),
      'the removal of the former version',
    )
    await page.context().setOffline(true)
    await page.goto(`${url}/community`)
    await page.getByText('This page opens as soon as').waitFor()
    await page.getByRole('link', { name: RELEASED }).waitFor()
  })

  test('no worker is registered by pages in frames of other sites, and none by the games origin', async () => {
    const page = await stage.visit(`/embed/${article.id}`)
    const count = () =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
    assert.equal(await count(), 0)
    const games = stage.app.deps.games.origin(new URL(stage.app.url).host)
    assert.notEqual((await fetch(`${games}/worker.js`)).status, 200)
  })

  test('the icons of the tab and of the app show unread notifications until they are read', async () => {
    await joon.plaza.comments.create(article.id, { body: 'Lovely.' })
    const page = await stage.visit('/sign-in', mina)
    await page.addInitScript(() => {
      const badges: number[] = []
      Object.assign(globalThis, { badges })
      const show = async (count = 0) => void badges.push(count)
      Object.assign(Navigator.prototype, { setAppBadge: show, clearAppBadge: () => show() })
    })
    const badgesOf = () =>
      page.evaluate(() => (globalThis as unknown as { badges: number[] }).badges)
    await page.goto(`${stage.app.url}/notifications`)
    const icon = page.locator('link[rel="icon"]')
    await page.waitForFunction(() =>
      document
        .querySelector<HTMLLinkElement>('link[rel="icon"]')
        ?.href.startsWith('data:image/png'),
    )
    assert.equal((await badgesOf()).at(-1), 1)
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.waitForFunction(() =>
      document
        .querySelector<HTMLLinkElement>('link[rel="icon"]')
        ?.href.includes('/icon-192.png?v='),
    )
    assert.equal((await badgesOf()).at(-1), 0)
    assert.equal(await icon.count(), 1)
  })
})

/** Waits until the service worker is active. By then it has stored the files for offline use. */
async function untilStored(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
}

/** Returns a folder with a copy of the client's sources. */
function copyClient(): string {
  const root = temporaryFolder('plaza-release-')
  for (const name of ['web', 'sdk/src', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    cpSync(join(ROOT, name), join(root, name), {
      recursive: true,
      filter: (path) => path !== join(ROOT, 'web/dist'),
    })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return root
}

/** Starts a proxy that forwards each request to the address from `target`. Returns the proxy's address. */
async function startProxy(target: () => string): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method = 'GET', headers, url = '/' } = incoming
    const sent = forward(target() + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    sent.on('error', () => outgoing.destroy())
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  after(() => void proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}
