import { describe, test } from 'node:test'
import { withoutChromium } from '../../test/chromium.ts'
import { setStage } from './stage.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')

  for (const rate of [3, 4, 5, 6]) {
    test(`a page opens on a processor ${rate} times as slow`, async () => {
      const page = await stage.visit('/settings', mina)
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate })
      await page.goto(`${stage.app.url}/devconsole`)
      await page.getByRole('button', { name: 'New app' }).click()
      await page.getByLabel('Name').fill('River')
      await page.getByRole('checkbox', { name: 'posts:read' }).check()
      await page.getByRole('button', { name: 'Create app' }).click()
      await page.getByRole('heading', { level: 1, name: 'River' }).waitFor()
    })
  }
})
