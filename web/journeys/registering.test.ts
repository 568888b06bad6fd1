import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { assertSound, setStage } from './stage.ts'

async function fill(page: Page, handle: string): Promise<void> {
  await page.getByLabel('Handle', { exact: true }).fill(handle)
  await page.getByLabel('Email').fill(`${handle}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('the river was quiet today')
}

const send = (page: Page) => page.getByRole('button', { name: 'Sign up' }).click()

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return

  test('a visitor can apply for an account where the operator approves accounts', async () => {
    const stage = await setStage({ REGISTRATION: 'approval' })
    const page = await stage.visit('/sign-up')
    await page.getByLabel('Why do you want to join?').waitFor()
    await fill(page, 'sora')
    await send(page)
    await page.getByRole('alert').getByText('Write why you want to join.').waitFor()
    await assertSound(page)
    await page.getByLabel('Why do you want to join?').fill('I draw rivers.')
    await send(page)
    await page.getByText("We've received your application").waitFor()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  })

  test('a visitor needs a valid invite code where accounts need an invite', async () => {
    const stage = await setStage({ REGISTRATION: 'invite' })
    const page = await stage.visit('/sign-up')
    await page.getByLabel('Invite code').waitFor()
    await fill(page, 'sora')
    await send(page)
    await page.getByRole('alert').getByText('Enter your invite code.').waitFor()
    await page.getByLabel('Invite code').fill('AAAAA-AAAAA')
    await send(page)
    await page.getByRole('alert').getByText('This invite code is wrong').waitFor()
    await assertSound(page)
  })

  test('a visitor reads that registration is closed', async () => {
    const stage = await setStage({ REGISTRATION: 'closed' })
    const page = await stage.visit('/sign-up')
    await page.getByText('This site takes no new accounts right now').waitFor()
    await assertSound(page)
  })
})
