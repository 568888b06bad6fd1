import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { withoutChromium } from '../../test/chromium.ts'
import { openPlayers } from '../../test/framed.ts'
import { until } from '../../test/receiver.ts'
import { makeFlashGame, makeModuleGame, makePageGame } from '../../test/playing.ts'

const app = await startApp()
const creator = await app.user()
const player = await app.user()

/** HTTP paths, connections and UDP packets that reached the foreign servers. */
const reached: string[] = []
const stranger = createServer((request, response) => {
  reached.push(String(request.url))
  response.end('<!doctype html><title>Elsewhere</title>')
}).on('connection', () => reached.push('connection'))
stranger.listen(0, '127.0.0.1')
await once(stranger, 'listening')
const socket = createSocket('udp4').on('message', () => reached.push('packet'))
socket.bind(0, '127.0.0.1')
await once(socket, 'listening')
after(() => {
  stranger.close()
  socket.close()
})
const OUTSIDE = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
const PEER = `
new Promise((done, fail) => {
  const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${socket.address().port}' }] })
  peer.createDataChannel('x')
  peer.createOffer().then((offer) => peer.setLocalDescription(offer))
})`
const PATIENCE_MS = 2500

describe('the sandbox of games in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const { newPage, launchUrl, emptyPage, play, openAlone } = await openPlayers(player)

  test('control: reaches the foreign server from an ordinary page', async () => {
    reached.length = 0
    const page = await newPage()
    await page.goto(emptyPage)
    await page.evaluate(PEER.replace('new Promise', 'void new Promise'))
    await page.evaluate(AHEAD)
    await until(() =>
      ['packet', '/prefetched', 'connection'].every((kind) => reached.includes(kind)),
    )
    await page.close()
  })

  test('removes WebRTC from pages, their frames, workers and players', async () => {
    reached.length = 0
    const wide = (text: string, isBig: boolean) => {
      const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
      return isBig ? bytes.swap16() : bytes
    }
    const script = `<script>window.found = typeof RTCPeerConnection; ${PEER}</script>`
    const game = await makePageGame(creator, {
      'index.html': `<!doctype html><body>${script}`,
      'hidden.html': `<!-->${script}<!-- --><!doctype html><body>`,
      'abrupt.html': `<!--->${script}<!-- --><!doctype html><body>`,
      'bang.html': `<!-- --!>${script}<!-- --><!doctype html><body>`,
      'little.html': wide(`<!doctype html><body>${script}`, false),
      'big.html': wide(`<!doctype html><body>${script}`, true),
      'drawing.svg': `<svg xmlns="http://www.w3.org/2000/svg"><script>window.found = typeof RTCPeerConnection; ${PEER}</script></svg>`,
      'page.xml': `<html xmlns="http://www.w3.org/1999/xhtml"><script>window.found = typeof RTCPeerConnection; ${PEER}</script></html>`,
      'worker.js':
        'postMessage(Object.getOwnPropertyNames(self).filter((name) => /RTC/.test(name)))',
    })
    const { page, inside } = await play(game)
    assert.equal(await inside.evaluate('window.found'), 'undefined')
    const left = await inside.evaluate(
      `Object.getOwnPropertyNames(window).filter((name) => /RTC|WebTransport$/.test(name))`,
    )
    assert.deepEqual(left, ['WebTransport'])
    assert.deepEqual(
      await inside.evaluate(
        `new Promise((done) => { new Worker('worker.js').onmessage = ({ data }) => done(data) })`,
      ),
      [],
    )
    const frames = await inside.evaluate(`(async () => {
      const found = {}
      const add = (over) => document.body.appendChild(Object.assign(document.createElement('iframe'), over))
      const look = (name, frame) => {
        try { found[name] = typeof frame.contentWindow.RTCPeerConnection } catch { found[name] = 'closed' }
      }
      const told = (name) => new Promise((done) => {
        addEventListener('message', ({ data }) => { if (data.name === name) done(data.type) })
        setTimeout(() => done('nothing'), 1500)
      })
      const tell = (name) => "<script>parent.postMessage({ name: '" + name + "', type: typeof RTCPeerConnection }, '*')<" + "/script>"
      look('about:blank', add({}))
      const frame = add({ src: 'javascript:parent.postMessage({ name: "javascript", type: typeof RTCPeerConnection }, "*")' })
      look('javascript', frame)
      add({ srcdoc: tell('srcdoc') })
      found.srcdoc = await told('srcdoc')
      document.body.insertAdjacentHTML('beforeend', '<p><iframe srcdoc="' + tell('markup') + '"></iframe>')
      found.markup = await told('markup')
      add({ src: 'data:text/html,' + encodeURIComponent(tell('data')) })
      found.data = await told('data')
      add({ src: URL.createObjectURL(new Blob([tell('blob')], { type: 'text/html' })) })
      found.blob = await told('blob')
      add({ src: 'javascript:' + JSON.stringify(tell('script')) })
      found.script = await told('script')
      return found
    })()`)
    assert.deepEqual(frames, {
      'about:blank': 'closed',
      javascript: 'closed',
      srcdoc: 'undefined',
      markup: 'undefined',
      data: 'nothing',
      blob: 'nothing',
      script: 'nothing',
    })
    for (const name of ['hidden', 'abrupt', 'bang', 'little', 'big']) {
      await inside.goto(`${new URL('.', inside.url()).href}${name}.html`)
      assert.equal(await inside.evaluate('window.found'), 'undefined', name)
    }
    for (const name of ['drawing.svg', 'page.xml']) {
      await inside.goto(`${new URL('.', inside.url()).href}${name}`)
      assert.equal(await inside.evaluate('window.found'), undefined, name)
    }
    await page.close()
    for (const confined of [await makeModuleGame(creator), await makeFlashGame(creator)]) {
      const playing = await play(confined)
      assert.equal(await playing.inside.evaluate('typeof RTCPeerConnection'), 'undefined')
      await playing.page.close()
    }
    assert.deepEqual(reached, [])
  })

  test('keeps a game that is opened on its own in a frame that cannot navigate the window', async () => {
    const ways = {
      href: `location.href = '${OUTSIDE}/led'`,
      top: `top.location.href = '${OUTSIDE}/led'`,
      replace: `location.replace('${OUTSIDE}/led')`,
      window: `open('${OUTSIDE}/led', '_top')`,
      refresh: `document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: '0; url=${OUTSIDE}/led' }))`,
      link: `document.body.append(Object.assign(document.createElement('a'), { id: 'link', target: '_top', ping: '${OUTSIDE}/ping', href: '${OUTSIDE}/led', textContent: 'Go' }))`,
      form: `(() => { const form = document.body.appendChild(document.createElement('form')); form.action = '${OUTSIDE}/led'; form.target = '_top'; form.submit() })()`,
    }
    const { id } = await makePageGame(creator, {
      'drawing.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><a href="${OUTSIDE}/led"><rect id="link" width="90" height="90"/></a></svg>`,
    })
    reached.length = 0
    const leave = async ([name, way]: [string, string]) => {
      const { page, inside } = await openAlone({ id })
      const start = page.url()
      await inside.evaluate(`setTimeout(() => { ${way} })`)
      if (name === 'link') await inside.locator('#link').click()
      await sleep(PATIENCE_MS)
      assert.equal(page.url(), start, name)
      assert.equal(page.context().pages().length, 1, name)
      await page.close()
    }
    await Promise.all(Object.entries(ways).map(leave))
    const { page, inside } = await openAlone({ id })
    const drawing = `${new URL('.', inside.url()).href}drawing.svg`
    await page.goto(drawing)
    await page.frameLocator('iframe').locator('#link').click()
    await sleep(PATIENCE_MS)
    assert.equal(page.url(), drawing)
    await page.close()
    assert.deepEqual(reached, [])
  })

  test('frames a game for a browser without Sec-Fetch-Dest before it runs', async () => {
    const { id } = await makePageGame(creator, {
      'index.html': `<!doctype html><script>window.isAlone = parent === window</script><p>Play!`,
    })
    const page = await newPage()
    await page.route('**/*', async (route) => {
      const { 'sec-fetch-dest': _, ...headers } = await route.request().allHeaders()
      await route.continue({ headers: { ...headers, 'sec-fetch-dest': '' } })
    })
    await page.goto(await launchUrl({ id }))
    const inside = await (
      await page.waitForSelector('iframe', { state: 'attached' })
    ).contentFrame()
    await inside?.waitForLoadState()
    assert.equal(await inside?.evaluate('window.isAlone'), false)
    await page.close()
  })

  test('prefetches nothing from other servers for a game, framed or opened on its own', async () => {
    const { id } = await makePageGame(creator)
    for (const open of [play, openAlone]) {
      reached.length = 0
      const { page, inside } = await open({ id })
      await inside.evaluate(AHEAD)
      await sleep(PATIENCE_MS)
      assert.deepEqual(reached, [], open.name)
      await page.close()
    }
  })

  test('sends no packet when a game reaches WebRTC in a closed shadow tree', async () => {
    reached.length = 0
    const { page, inside } = await play(await makePageGame(creator))
    // The prelude cannot find a frame in a closed shadow tree.
    await inside
      .evaluate(
        `(() => {
      const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' })
      root.append(Object.assign(document.createElement('iframe'), { srcdoc: ${JSON.stringify(`<script>${PEER}</script>`)} }))
    })()`,
      )
      .catch(() => {})
    await sleep(PATIENCE_MS)
    assert.deepEqual(reached, [])
    await page.close().catch(() => {})
  })
})

/** Script that prefetches in ways that only the `connection-allowlist` header blocks. */
const AHEAD = `
const rules = document.createElement('script')
rules.type = 'speculationrules'
rules.textContent = JSON.stringify({
  prefetch: [{ urls: ['${OUTSIDE}/prefetched'], eagerness: 'immediate' }],
  prerender: [{ urls: ['${OUTSIDE}/prerendered'], eagerness: 'immediate' }],
})
document.head.append(rules)
for (const rel of ['prefetch', 'preload', 'modulepreload', 'preconnect', 'dns-prefetch', 'icon', 'manifest']) {
  const link = document.createElement('link')
  Object.assign(link, { rel, href: '${OUTSIDE}/link-' + rel, as: 'image' })
  document.head.append(link)
}`
