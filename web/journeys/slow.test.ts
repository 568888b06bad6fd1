import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { type Member, setStage } from './stage.ts'

/** Slowdown factors of the browser's processor. */
const RATES = [3, 6]

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')

  for (const rate of RATES) {
    test(`a page opens on a processor ${rate} times as slow`, async () => {
      const page = await open('/devconsole', mina, rate)
      await page.getByRole('button', { name: 'New app' }).click()
      await page.getByLabel('Name').fill('River')
      await page.getByRole('checkbox', { name: 'posts:read' }).check()
      await page.getByRole('button', { name: 'Create app' }).click()
      await page.getByRole('heading', { level: 1, name: 'River' }).waitFor()
    })

    test(`Enter right after a key saves the whole title at rate ${rate}`, async () => {
      const page = await open('/publish', mina, rate)
      await page.getByRole('button', { name: 'Write an article' }).click()
      await page.getByLabel('Text', { exact: true }).fill('Salt.')
      await page.getByLabel('Title').fill('By the sea')
      await page.keyboard.press('Enter')
      await page
        .getByRole('region', { name: 'Status' })
        .getByText('Draft', { exact: true })
        .waitFor()
    })
  }

  async function open(path: string, member: Member, rate: number): Promise<Page> {
    const page = await stage.visit('/settings', member)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate })
    await page.goto(stage.app.url + path)
    return page
  }
})
