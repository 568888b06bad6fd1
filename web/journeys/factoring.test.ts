import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { otpAt } from '../../test/factors.ts'
import { assertSound, type Member, setStage, enterPassword, addAuthenticator } from './stage.ts'

const STEP_MS = 30_000

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  // Passkeys belong to a domain, so they do not work on an IP address.
  const origin = stage.app.url.replace('127.0.0.1', 'localhost')

  async function fillPassword(page: Page, { password }: Member): Promise<void> {
    await page.getByRole('dialog').getByLabel('Current password').fill(password)
  }

  async function saveCodes(page: Page): Promise<string[]> {
    const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
    const codes = (await dialog.locator('code').innerText()).split('\n')
    await dialog.getByRole('button', { name: 'Done' }).press('Enter')
    await dialog.getByRole('alert').getByText('Save the codes first.').waitFor()
    await assertSound(page)
    await dialog.getByLabel('I saved them in a safe place').check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    return codes
  }

  async function assertSignedIn(page: Page, { name }: Member): Promise<void> {
    await page.getByRole('button', { name: `Your menu, ${name}` }).waitFor()
  }

  test('a user sets up an authenticator app and signs in with its code, or with a recovery code', async () => {
    const mina = await stage.member('mina', 'Mina')
    const page = await stage.visit('/account?part=security', mina)
    await page.getByRole('button', { name: 'Set up' }).click()
    await fillPassword(page, mina)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = await page.getByRole('dialog').locator('code').innerText()
    await assertSound(page)
    await page.getByLabel('6-digit code').fill('000')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('alert').getByText("This code doesn't match.").waitFor()
    const code = (steps = 0) => otpAt(secret, stage.app.clock.now() + steps * STEP_MS)
    await page.getByLabel('6-digit code').fill(code())
    await page.getByRole('button', { name: 'Turn on' }).click()
    const codes = await saveCodes(page)
    assert.equal(codes.length, 10)
    await page.getByText('10 left.').waitFor()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()
    await assertSound(page)

    const visitor = await stage.visit('/sign-in')
    await enterPassword(visitor, mina)
    await visitor.getByRole('heading', { name: 'One more step' }).waitFor()
    await assertSound(visitor)
    await visitor.getByLabel('Code from your app').fill('123')
    await visitor.getByRole('button', { name: 'Sign in', exact: true }).click()
    await visitor.getByRole('alert').getByText('wrong or was already used').waitFor()
    await visitor.getByLabel('Code from your app').fill(code(1))
    await visitor.getByRole('button', { name: 'Sign in', exact: true }).click()
    await assertSignedIn(visitor, mina)

    const lost = await stage.visit('/sign-in')
    await enterPassword(lost, mina)
    await lost.getByRole('button', { name: 'Use a recovery code' }).click()
    await lost.getByLabel('Recovery code').fill(codes[0] ?? '')
    await lost.getByRole('button', { name: 'Sign in', exact: true }).click()
    await assertSignedIn(lost, mina)
    const { user } = await mina.plaza.me.get()
    assert.equal(user.second_factor.recovery_codes_left, 9)

    await page.getByRole('button', { name: 'Turn off' }).click()
    await fillPassword(page, mina)
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('Authenticator app is off').waitFor()
    await page.getByRole('button', { name: 'Get new codes' }).click()
    await fillPassword(page, mina)
    await page.getByRole('dialog').getByRole('button', { name: 'Get new codes' }).click()
    assert.notDeepEqual(await saveCodes(page), codes)
  })

  test('a user who forgot the password chooses a new one with a recovery code', async () => {
    const yuna = await stage.member('yuna', 'Yuna')
    const { recovery_codes } = await yuna.plaza.secondFactor.createRecoveryCodes({
      current_password: yuna.password,
    })
    const page = await stage.visit('/forgot-password')
    await page.getByRole('button', { name: 'I have a recovery code' }).click()
    await page.getByLabel('Handle or email').fill('yuna')
    await page.getByLabel('Recovery code').fill('aaaa-bbbb')
    await page.getByLabel('New password').fill('the river was quiet today')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('alert').getByText('Check the handle and the code.').waitFor()
    await assertSound(page)
    await page.getByLabel('Recovery code').fill(recovery_codes[3] ?? '')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password updated. Sign in with your new password.').waitFor()
  })

  test('a user adds a passkey, signs in with it alone, renames and removes it', async () => {
    const sora = await stage.member('sora', 'Sora')
    const page = await stage.visit('/')
    await addAuthenticator(page)
    await page.goto(`${origin}/sign-in`)
    await enterPassword(page, sora)
    await assertSignedIn(page, sora)
    await page.goto(`${origin}/account?part=security`)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('My laptop')
    await fillPassword(page, sora)
    await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click()
    await saveCodes(page)
    await page.getByRole('heading', { name: 'My laptop' }).waitFor()
    await page.getByText('Not used yet').waitFor()
    await assertSound(page)

    await page.getByRole('button', { name: 'Your menu, Sora' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.goto(`${origin}/sign-in`)
    await enterPassword(page, sora)
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await assertSignedIn(page, sora)
    await page.goto(`${origin}/account?part=security`)
    await page.getByText('Last used').waitFor()

    await page.getByRole('button', { name: 'Rename My laptop' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Old laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('heading', { name: 'Old laptop' }).waitFor()
    await page.getByRole('button', { name: 'Remove Old laptop' }).click()
    await fillPassword(page, sora)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('heading', { name: 'Old laptop' }).waitFor({ state: 'detached' })
    const { user } = await sora.plaza.me.get().catch(() => ({ user: undefined }))
    assert.ok(!user?.second_factor.is_enabled)
  })
})
