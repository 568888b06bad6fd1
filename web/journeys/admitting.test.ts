import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { assertSound, setStage, enterPassword } from './stage.ts'

const PASSWORD = 'the river was quiet today'

async function fill(page: Page, handle: string): Promise<void> {
  await page.getByLabel('Handle', { exact: true }).fill(handle)
  await page.getByLabel('Email').fill(`${handle}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
}

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return

  test('a visitor needs a valid invite, and joins by its link, which is then used up', async () => {
    const stage = await setStage({ REGISTRATION: 'invite' })
    const boss = stage.operator
    const uninvited = await stage.visit('/sign-up')
    await fill(uninvited, 'sora')
    await uninvited.getByRole('button', { name: 'Sign up' }).click()
    await uninvited.getByRole('alert').getByText('Enter your invite code.').waitFor()
    await uninvited.getByLabel('Invite code').fill('AAAAA-AAAAA')
    await uninvited.getByRole('button', { name: 'Sign up' }).click()
    await uninvited.getByRole('alert').getByText('This invite code is wrong').waitFor()
    await assertSound(uninvited)

    const page = await stage.visit('/admin/invites', boss)
    await page.getByLabel('Note (optional)').fill('For Sora')
    await page.getByRole('button', { name: 'Create invite' }).click()
    const link = await page.getByLabel('Invite link').innerText()
    assert.match(link, /\/sign-up\?invite=[0-9A-Z]{5}-[0-9A-Z]{5}$/)
    await page.getByRole('row', { name: /For Sora Usable 0 \/ 1/ }).waitFor()
    await assertSound(page)
    await page.setViewportSize({ width: 390, height: 800 })
    await assertSound(page)
    await page.setViewportSize({ width: 1280, height: 800 })

    const theirs = await stage.visit(new URL(link).pathname + new URL(link).search)
    await theirs.getByLabel('Invite code').waitFor()
    assert.equal(
      await theirs.getByLabel('Invite code').inputValue(),
      new URL(link).searchParams.get('invite'),
    )
    await fill(theirs, 'sora')
    await theirs.getByRole('button', { name: 'Sign up' }).click()
    await theirs.getByText('Welcome, sora!').waitFor()
    await page.reload()
    await page.getByRole('row', { name: /For Sora Used up 1 \/ 1@sora/ }).waitFor()

    // By default, users may not create invites.
    await theirs.goto(`${stage.app.url}/invites`)
    await theirs.getByText('No invites').waitFor()
    await theirs.getByRole('button', { name: 'Create invite' }).click()
    await theirs.getByRole('alert').waitFor()
    await assertSound(theirs)
    await boss.plaza.site.updateSettings({
      revision: (await boss.plaza.site.getSettings()).revision,
      invites_per_user: 1,
    })
    await theirs.getByRole('button', { name: 'Create invite' }).click()
    await theirs.getByLabel('Invite link').waitFor()
    await theirs.getByRole('button', { name: 'Revoke' }).click()
    await theirs.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await theirs.getByRole('row', { name: /Revoked/ }).waitFor()
  })

  test('an applicant signs in once an application is approved', async () => {
    const stage = await setStage({ REGISTRATION: 'approval' })
    const boss = stage.operator
    const theirs = await stage.visit('/sign-up')
    await fill(theirs, 'sora')
    await theirs.getByRole('button', { name: 'Sign up' }).click()
    await theirs.getByRole('alert').getByText('Write why you want to join.').waitFor()
    await assertSound(theirs)
    await theirs.getByLabel('Why do you want to join?').fill('I draw rivers.')
    await theirs.getByRole('button', { name: 'Sign up' }).click()
    await theirs.getByText("We've received your application").waitFor()
    await theirs.getByRole('heading', { level: 1, name: 'Home' }).waitFor()

    const page = await stage.visit('/admin/applications', boss)
    await page.getByText('I draw rivers.').waitFor()
    await page.getByRole('link', { name: 'Applications 1' }).waitFor()
    await assertSound(page)
    await page.setViewportSize({ width: 390, height: 800 })
    await assertSound(page)
    await page.getByRole('button', { name: 'Approve' }).click()
    const dialog = page.getByRole('dialog', { name: 'Approve @sora?' })
    await dialog.getByLabel('Reason (optional)').fill('Welcome!')
    await assertSound(page)
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('No applications').waitFor()
    await page.getByRole('link', { name: 'Approved' }).click()
    await page.getByText('Welcome!').waitFor()

    await theirs.goto(`${stage.app.url}/sign-in`)
    await enterPassword(theirs, { handle: 'sora', password: PASSWORD })
    await theirs.getByRole('button', { name: 'Your menu, sora' }).waitFor()
  })

  test('a visitor reads that registration is closed', async () => {
    const stage = await setStage({ REGISTRATION: 'closed' })
    const page = await stage.visit('/sign-up')
    await page.getByText('This site takes no new accounts right now').waitFor()
    await assertSound(page)
  })

  test('a banned email domain cannot join until the ban is lifted', async () => {
    const stage = await setStage()
    const boss = await stage.admin('boss', 'Boss')
    const page = await stage.visit('/admin/bans', boss)
    await page.getByLabel('Kind').selectOption('network')
    await page.getByLabel('Network', { exact: true }).fill('127.0.0.0/8')
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Kind').selectOption('email_domain')
    await page.getByLabel('Email domain', { exact: true }).fill('example.com')
    await page.getByLabel('Reason (optional)').fill('Spam wave')
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByRole('row', { name: /example\.com Email domain Spam wave Permanent/ }).waitFor()
    await assertSound(page)
    await assert.rejects(stage.member('sora', 'Sora'))
    await page.getByRole('button', { name: 'Lift ban' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lift ban' }).click()
    await page.getByText('No banned domains or networks').waitFor()
    await stage.member('sora', 'Sora')
  })
})
