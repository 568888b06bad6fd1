import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { createPlaza } from '#sdk'
import { buildClient } from '../../src/web/build.ts'
import { openBrowser, withoutChromium } from '../../test/chromium.ts'
import { serve } from '../../test/process.ts'
import { assertSound, visit } from './stage.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  await buildClient()
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'plaza-setting-up-'))
  after(() => rmSync(DATA_DIR, { recursive: true, force: true }))
  const server = await serve({ DATA_DIR, WEB: 'on', FFMPEG: 'off', CHROMIUM: 'off' })
  const browser = await openBrowser()

  test('the first visitor with the setup code becomes an administrator of the named site', async () => {
    const page = await visit(browser, server.url, '/')
    await page.waitForURL('**/setup')
    await page.getByRole('heading', { level: 1, name: 'Set up your site' }).waitFor()
    await assertSound(page)
    const submit = page.getByRole('button', { name: 'Set up your site' })
    const code = page.getByLabel('Setup code')
    await submit.click()
    await page.getByRole('alert').nth(4).waitFor()
    assert.ok(await code.evaluate((field) => field === document.activeElement))

    await code.fill('AAAAA-AAAAA-AAAAA-AAAAA')
    await page.getByLabel('Site name').fill('River Club')
    await page.getByLabel('Handle').fill('mina')
    await page.getByLabel('Email').fill('mina@example.com')
    await page.getByLabel('Password', { exact: true }).fill('the river was quiet today')
    await submit.click()
    await page.getByRole('alert').getByText('setup code is wrong').waitFor()
    assert.equal(await code.getAttribute('aria-invalid'), 'true')
    await page.setViewportSize({ width: 390, height: 800 })
    await assertSound(page)

    await code.fill(/setup code: (\S+),/.exec(server.out())?.[1]?.toLowerCase() ?? '')
    await submit.click()
    await page.getByText('River Club is ready!').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Your menu' }).first().click()
    await page.getByRole('menuitem', { name: 'Admin' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await assertSound(page)
    const { site } = await createPlaza({ url: server.url }).site.get()
    assert.deepEqual([site.name, site.setup_required], ['River Club', false])

    const others = await visit(browser, server.url, '/setup')
    await others.getByText('This site is already set up').waitFor()
    await assertSound(others)
    await others.getByRole('link', { name: 'Go to home page' }).click()
    await others.getByRole('heading', { level: 1, name: 'Home' }).waitFor({ state: 'attached' })
  })
})
