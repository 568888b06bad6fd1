import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { openBrowser, withoutChromium } from '../../test/chromium.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const app = await startApp()
  const browser = await openBrowser()

  test('shows and searches operations, sends test requests, and contacts no other server', async () => {
    const page = await browser.newPage()
    const contacted = new Set<string>()
    const refused: string[] = []
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol.startsWith('http')) contacted.add(origin)
    })
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) refused.push(message.text())
    })
    await page.goto(`${app.url}/docs`)
    await page.getByRole('heading', { level: 1, name: 'Plaza API' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('health')
    await page.getByRole('option', { name: '/api/health' }).first().click()
    const section = page.getByRole('region').filter({ hasText: '/api/health' })
    await section
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click()
    const answer = page.waitForResponse((response) => response.url().includes('/api/health'))
    await page.getByRole('button', { name: /^Send/ }).first().click()
    assert.equal((await answer).status(), 200)
    assert.deepEqual([...contacted], [app.url])
    assert.deepEqual(refused, [])
  })
})
