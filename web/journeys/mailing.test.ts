import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { startSmtp } from '../../test/smtp.ts'
import { assertSound, setStage, enterPassword } from './stage.ts'

const NEW_PASSWORD = 'the river was quiet today'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const smtp = await startSmtp()
  const stage = await setStage({
    SMTP_URL: smtp.url,
    MAIL_FROM: 'post@plaza.test',
    PUBLIC_URL: 'http://plaza.test',
    EMAIL_VERIFICATION: 'required',
  })
  const mina = await stage.member('mina', 'Mina')
  const address = 'mina@example.com'
  const moved = 'mina.moved@example.com'
  const accountOf = async () => (await mina.plaza.me.get()).user
  const open = (page: Page, link: string) =>
    page.goto(link.replace('http://plaza.test', stage.app.url))

  test('a new user sees a note, and confirms the address by pressing a button', async () => {
    const page = await stage.visit('/', mina)
    await page.getByText(`Confirm ${address} to publish and write.`).waitFor()
    await page.getByRole('button', { name: 'Send the email again' }).click()
    await page.getByText('Email sent').waitFor()
    const { link } = await smtp.to(address, 2)
    // Requests the link as mail programs do when they scan a message.
    const checked = await fetch(link.replace('http://plaza.test', stage.app.url))
    assert.equal(checked.status, 200)
    await open(page, link)
    await page.getByRole('heading', { level: 1, name: 'Confirm your email' }).waitFor()
    await assertSound(page)
    assert.equal((await accountOf()).email_verified, false)
    await page.getByRole('button', { name: 'Confirm email' }).click()
    await page.getByRole('heading', { name: 'Email confirmed' }).waitFor()
    assert.equal((await accountOf()).email_verified, true)
    await page.getByRole('link', { name: 'Get started' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.getByText(`Confirm ${address}`).waitFor({ state: 'detached' })
    await open(page, link)
    await page.reload()
    await page.getByRole('button', { name: 'Confirm email' }).click()
    await page.getByRole('alert').getByText('expired or was already used').waitFor()
  })

  test('a new address waits for its confirmation, and the user can cancel or finish the change', async () => {
    const page = await stage.visit('/account', mina)
    const change = async () => {
      await page.getByRole('button', { name: 'Change email' }).click()
      await page.getByLabel('New email').fill(moved)
      await page.getByLabel('Current password').fill(mina.password)
      await page.getByRole('dialog').getByRole('button', { name: 'Change email' }).click()
      await page.getByRole('heading', { name: 'New email, waiting for confirmation' }).waitFor()
    }
    await change()
    await assertSound(page)
    await page.getByRole('button', { name: 'Cancel change' }).click()
    await page.getByText('Email change cancelled').waitFor()
    assert.equal((await accountOf()).pending_email, null)
    await change()
    const { link } = await smtp.to(moved, 2)
    await open(page, link)
    await page.getByRole('button', { name: 'Confirm email' }).click()
    await page.getByRole('heading', { name: 'Email confirmed' }).waitFor()
    assert.equal((await accountOf()).email, moved)
  })

  test('the earlier address undoes the change, and chooses a new password', async () => {
    const page = await stage.visit('/')
    const undo = await smtp.find(({ to, link }) => to === address && link.includes('/undo-email'))
    await open(page, smtp.mails.findLast(({ to }) => to === address)?.link ?? undo.link)
    await page.getByRole('heading', { level: 1, name: 'Undo the email change' }).waitFor()
    await page.getByRole('button', { name: 'Restore the earlier address' }).click()
    await page.getByRole('heading', { name: 'Earlier address restored' }).waitFor()
    const reset = await smtp.find(
      ({ to, link }) => to === address && link.includes('/reset-password'),
    )
    await open(page, reset.link)
    await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor()
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Add 10 more characters.').waitFor()
    await assertSound(page)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password updated. Sign in with your new password.').waitFor()
    await enterPassword(page, { handle: address, password: NEW_PASSWORD })
    await page.getByRole('button', { name: 'Your menu, Mina' }).waitFor()
  })

  test('an admin creates a reset link for a user, which is in the change log', async () => {
    const boss = await stage.admin('boss', 'Boss')
    const { users } = await boss.plaza.users.list({ q: 'mina' })
    const page = await stage.visit(`/admin/members/${users[0]?.id}`, boss)
    await page.getByRole('button', { name: 'Create reset link' }).click()
    const link = page.getByRole('status').getByText('/reset-password#token=')
    await link.waitFor()
    await assertSound(page)
    await page.getByRole('cell', { name: 'Created a reset link' }).waitFor()
    await open(page, (await link.textContent()) ?? '')
    await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor()
  })

  test('an incomplete link says what to do', async () => {
    const page = await stage.visit('/reset-password')
    await page.getByRole('heading', { level: 1, name: 'This link is incomplete' }).waitFor()
    await assertSound(page)
    assert.equal(await page.getByRole('button', { name: 'Change password' }).count(), 0)
  })
})
