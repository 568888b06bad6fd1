import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { startApp } from '../../test/app.ts'
import { openBrowser, withoutChromium } from '../../test/chromium.ts'
import { makeWav } from '../../test/uploads.ts'

const app = await startApp({ CAPTCHA_COST: '2000', MAX_UPLOAD_BYTES: '10000000' })

async function openPage(): Promise<Page> {
  const bundle = await rolldown({ input: join(import.meta.dirname, '../src/index.ts') })
  const { output } = await bundle.generate({ format: 'esm' })
  const browser = await openBrowser()
  const page = await browser.newPage()
  const html = `<!doctype html><script type="module">
    import * as sdk from '/client.js'
    window.sdk = sdk
    window.client = () => sdk.createPlaza({ url: '', cookie: true, session: sdk.cookieSession(), language: 'en' })
  </script>`
  await page.route('**/client', (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await page.route('**/client.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: output[0].code }),
  )
  await page.goto(`${app.url}/client`)
  return page
}

function run<T>(page: Page, program: string): Promise<T> {
  return page.evaluate(`(async () => { const plaza = client(); await plaza.ready; ${program} })()`)
}

const page = withoutChromium ? (undefined as never) : await openPage()

describe('the SDK in a browser page', { skip: withoutChromium }, () => {
  test('registers an account without freezing the page', async () => {
    const result = await run<{ shares: number[]; handle: string; turns: number }>(
      page,
      `const shares = []
       let turns = 0
       const timer = setInterval(() => turns++, 5)
       const captcha_token = await plaza.solveCaptcha({ onProgress: (share) => shares.push(share) })
       clearInterval(timer)
       await plaza.register({
         handle: 'mina', email: 'mina@example.test', password: 'a long walk by the river', captcha_token,
       })
       const { user } = await plaza.me.get()
       return { shares, turns, handle: user.handle }`,
    )
    assert.equal(result.handle, 'mina')
    assert.equal(result.shares.at(-1), 1)
    assert.ok(result.turns > 0)
  })

  test('hides tokens from scripts and restores the session when the page is reloaded', async () => {
    const stored = await page.evaluate('JSON.stringify(localStorage) + document.cookie')
    assert.match(String(stored), /plaza\.session/)
    assert.doesNotMatch(String(stored), /pl[ar]_/)
    await page.reload()
    assert.equal(await run(page, 'return (await plaza.me.get()).user.handle'), 'mina')
  })

  test('reports upload progress up to the full size', async () => {
    const result = await run<{ progress: { sent: number; total: number }[]; type: string }>(
      page,
      `const bytes = Uint8Array.from(atob('${makeWav(20, 44_100).toString('base64')}'), (c) => c.charCodeAt(0))
       const progress = []
       const file = new File([bytes], '한강.wav', { type: 'audio/wav' })
       const upload = await plaza.upload(file, { onProgress: (one) => progress.push(one) })
       return { progress, type: upload.mime_type }`,
    )
    const last = result.progress.at(-1)
    assert.match(result.type, /^audio\//)
    assert.ok(last && last.sent === last.total && last.total > 1_700_000)
  })

  test('rejects an upload with the right code when refused, aborted or unreachable', async () => {
    const codes = await run<string[]>(
      page,
      `const codeOf = (work) => work.then(() => 'none', (error) => error.code)
       const onProgress = () => {}
       const elsewhere = sdk.createPlaza({ url: 'http://127.0.0.1:9' })
       return [
         await codeOf(plaza.upload(new Blob(['words']), { onProgress })),
         await codeOf(plaza.upload(new Blob([new Uint8Array(20_000_000)]), { onProgress })),
         await codeOf(plaza.upload(new Blob(['x']), { onProgress, signal: AbortSignal.abort() })),
         await codeOf(elsewhere.upload(new Blob(['x']), { onProgress })),
       ]`,
    )
    assert.deepEqual(codes, ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'ABORTED', 'NETWORK'])
  })

  test('renews an expired access token by the cookie, also for an upload', async () => {
    await page.evaluate('window.kept = client(); kept.ready')
    app.clock.advance(7_200_000)
    const codes = await page.evaluate(`(async () => {
      const words = new Blob(['words'])
      const upload = kept.upload(words, { onProgress: () => {} }).catch((error) => error.code)
      return [(await kept.me.get()).user.handle, await upload]
    })()`)
    assert.deepEqual(codes, ['mina', 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('stays signed out after a reload', async () => {
    await run(page, 'await plaza.signOut()')
    await page.reload()
    assert.equal(await run(page, 'return plaza.session'), null)
  })
})
