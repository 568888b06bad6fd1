import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import type { Actor, Loose } from './app.ts'
import { openBrowser } from './chromium.ts'
import { dataOf } from './make.ts'
import { ask } from './playing.ts'

/**
 * Launches a browser and serves a page that frames games. Returns functions with which `player` opens games in it. Call
 * it at the top level of a file or suite, because it registers an `after` hook.
 */
export async function openPlayers(player: Actor) {
  const browser = await openBrowser()
  // Serves a long page that frames a game as docs/api.md describes.
  const client = createServer((request, response) => {
    const { searchParams } = new URL(String(request.url), 'http://x')
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Client</title><link rel="icon" href="data:,"><body style="padding-top: 200px; height: 5000px">
<iframe id="game" width="600" height="300" allow="fullscreen; autoplay; gamepad; cross-origin-isolated"
  sandbox="allow-scripts allow-pointer-lock allow-orientation-lock" src="${searchParams.get('launch')}"></iframe>`)
  })
  client.listen(0, '127.0.0.1')
  await once(client, 'listening')
  after(() => client.close())
  const { port } = client.address() as AddressInfo
  const pageFor = (launch: string) =>
    `http://127.0.0.1:${port}/?launch=${encodeURIComponent(launch)}`

  async function launchUrl({ id }: Loose): Promise<string> {
    return dataOf(await ask(player, id)).play.launch_url
  }

  async function insideOf(page: Page): Promise<Frame> {
    const inside = await (
      await page.waitForSelector('iframe', { state: 'attached' })
    ).contentFrame()
    assert.ok(inside)
    await inside.waitForLoadState()
    return inside
  }

  async function newPage(): Promise<Page> {
    const page = await browser.newPage()
    page.setDefaultTimeout(120_000)
    return page
  }

  return {
    newPage,
    launchUrl,
    emptyPage: pageFor('about:blank'),
    async play(game: Loose): Promise<{ page: Page; inside: Frame; said: string[] }> {
      const page = await newPage()
      const said: string[] = []
      page.on('console', (message) => said.push(`${message.text()} ${message.location().url}`))
      page.on('pageerror', (error) => said.push(error.message))
      await page.goto(pageFor(await launchUrl(game)))
      return { page, inside: await insideOf(page), said }
    },
    async openAlone(game: Loose): Promise<{ page: Page; inside: Frame }> {
      const page = await newPage()
      await page.goto(await launchUrl(game))
      return { page, inside: await insideOf(page) }
    },
  }
}
