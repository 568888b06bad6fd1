/**
 * Tests the life of a site in browsers, from the setup to the restore of a backup. Uses a real server and mail server.
 */
import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { createPlaza, isPlazaError } from '#sdk'
import { freePort } from '../../scripts/postgres.ts'
import { erasureLogIn } from '../../src/erasure/log.ts'
import { buildClient } from '../../src/web/build.ts'
import { newPlace, type Place, settingsOf } from '../../test/app.ts'
import { findWords, newFile } from '../../test/backups.ts'
import { openBrowser, withoutChromium } from '../../test/chromium.ts'
import { plaza, serve } from '../../test/process.ts'
import { startSmtp } from '../../test/smtp.ts'
import { makePng } from '../../test/uploads.ts'
import { assertSound, visit, enterPassword, addAuthenticator } from './stage.ts'

const PASSWORD = 'a long walk by the river'
const NEW_PASSWORD = 'the river was quiet today'
const WORK = 'A walk along the river'
const INSULT = 'You are a fool.'
const REPLY = 'Please stop writing to me.'
const APPEAL = 'It is my own walk.'
/** Handle, name and texts of the user whose account is erased. */
const HERS = ['mina', 'Mina', WORK, REPLY, APPEAL]

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  await buildClient()
  const smtp = await startSmtp()
  const port = await freePort(1)
  // Passkeys belong to a domain, so they do not work on an IP address.
  const origin = `http://localhost:${port}`
  const settings = (place: Place) => ({
    ...settingsOf(place),
    PORT: String(port),
    PUBLIC_URL: origin,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'post@plaza.test',
    ERASURE_GRACE: '10',
    CAPTCHA_COST: '10',
    WEB: 'on',
    FFMPEG: 'off',
    CHROMIUM: 'off',
  })
  const place = await newPlace()
  const server = await serve(settings(place))
  const browser = await openBrowser()
  const open = () => visit(browser, origin, '/')
  const [boss, joon, mina] = [await open(), await open(), await open()]
  const backup = newFile()
  let work = ''

  async function signUp(page: Page, handle: string, name: string): Promise<void> {
    await page.getByLabel('Handle', { exact: true }).fill(handle)
    await page.getByLabel('Email').fill(`${handle}@example.com`)
    await page.getByLabel('Display name (optional)').fill(name)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign up' }).click()
  }

  async function signIn(page: Page, handle: string, password: string): Promise<void> {
    await page.goto(`${origin}/sign-in`)
    await enterPassword(page, { handle, password })
  }

  async function confirm(page: Page, act: string): Promise<void> {
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current password').fill(NEW_PASSWORD)
    await dialog.getByRole('button', { name: act }).click()
  }

  async function report(page: Page, kind: 'work' | 'comment', reason: string): Promise<void> {
    await page.getByRole('menuitem', { name: `Report ${kind}` }).click()
    const dialog = page.getByRole('dialog', { name: `Report ${kind}` })
    await dialog.getByRole('radio', { name: reason }).check()
    await dialog.getByRole('button', { name: 'Send report' }).click()
    await page.getByRole('dialog', { name: 'Report sent' }).waitFor()
  }

  async function hideCase(name: RegExp, reason: string): Promise<void> {
    await boss.getByRole('list', { name: 'Cases' }).getByRole('link', { name }).click()
    await boss.getByRole('button', { name: 'Hide', exact: true }).click()
    const dialog = boss.getByRole('dialog', { name: 'Hide this?' })
    await dialog.getByLabel('Reason', { exact: true }).fill(reason)
    await dialog.getByRole('button', { name: 'Hide' }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  async function accepts(identifier: string, password: string): Promise<boolean> {
    try {
      await createPlaza({ url: origin }).signIn({ identifier, password })
      return true
    } catch (error) {
      if (!isPlazaError(error, 'INVALID_CREDENTIALS')) throw error
      return false
    }
  }

  async function assertGone(page: Page, path: string): Promise<void> {
    await page.goto(origin + path)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  }

  async function assertWell(source: Place): Promise<void> {
    const { code, out } = await plaza(['doctor', '--files'], settings(source))
    assert.match(out, /all is well/)
    assert.equal(code, 0)
  }

  test('the first visitor sets up the site with the code of the log, and requires invites', async () => {
    await boss.waitForURL('**/setup')
    await boss.getByRole('heading', { level: 1, name: 'Set up your site' }).waitFor()
    await assertSound(boss)
    const submit = boss.getByRole('button', { name: 'Set up your site' })
    const code = boss.getByLabel('Setup code')
    await submit.click()
    await boss.getByRole('alert').nth(4).waitFor()
    assert.ok(await code.evaluate((field) => field === document.activeElement))
    await code.fill('AAAAA-AAAAA-AAAAA-AAAAA')
    await boss.getByLabel('Site name').fill('River Club')
    await boss.getByLabel('Handle').fill('boss')
    await boss.getByLabel('Email').fill('boss@example.com')
    await boss.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await submit.click()
    await boss.getByRole('alert').getByText('setup code is wrong').waitFor()
    assert.equal(await code.getAttribute('aria-invalid'), 'true')
    await boss.setViewportSize({ width: 390, height: 800 })
    await assertSound(boss)
    await boss.setViewportSize({ width: 1280, height: 800 })
    await code.fill(/setup code: (\S+),/.exec(server.out())?.[1]?.toLowerCase() ?? '')
    await submit.click()
    await boss.getByText('River Club is ready!').waitFor()
    await boss.getByRole('heading', { level: 1, name: 'Home' }).waitFor({ state: 'attached' })
    await boss.getByRole('button', { name: 'Your menu' }).first().click()
    await boss.getByRole('menuitem', { name: 'Admin' }).waitFor()
    await boss.keyboard.press('Escape')
    await boss.getByRole('menu').waitFor({ state: 'detached' })
    await assertSound(boss)
    await joon.goto(`${origin}/setup`)
    await joon.getByText('This site is already set up').waitFor()
    await assertSound(joon)
    await joon.getByRole('link', { name: 'Go to home page' }).click()
    await joon.getByRole('heading', { level: 1, name: 'Home' }).waitFor({ state: 'attached' })
    await boss.goto(`${origin}/admin/site`)
    await boss.getByLabel('Sign-up').selectOption('invite')
    await boss.getByRole('button', { name: 'Save', exact: true }).click()
    await boss.getByText('Settings saved').waitFor()
    await mina.goto(`${origin}/sign-up`)
    await signUp(mina, 'mina', 'Mina')
    await mina.getByText('Enter your invite code.').waitFor()
  })

  test('two people sign up with an invite that lets two people in', async () => {
    await boss.goto(`${origin}/admin/invites`)
    await boss.getByLabel('How many people can join').fill('2')
    await boss.getByRole('button', { name: 'Create invite' }).click()
    const link = await boss.getByLabel('Invite link').innerText()
    await joon.goto(link)
    await signUp(joon, 'joon', 'Joon')
    await joon.getByText('Welcome, Joon!').waitFor()
    await mina.goto(link)
    await signUp(mina, 'mina', 'Mina')
    await mina.getByText('Welcome, Mina!').waitFor()
    await boss.reload()
    await boss.getByRole('row', { name: /Used up 2 \/ 2/ }).waitFor()
  })

  test('a user who lost the password chooses a new one; opening the link changes nothing', async () => {
    await mina.getByRole('button', { name: 'Your menu, Mina' }).click()
    await mina.getByRole('menuitem', { name: 'Sign out' }).click()
    await mina.getByRole('link', { name: 'Sign in' }).first().click()
    await mina.getByRole('link', { name: 'Forgot your password?' }).click()
    await mina.getByRole('heading', { level: 1, name: 'Reset your password' }).waitFor()
    await mina.getByLabel('Handle or email').fill('mina')
    await mina.getByRole('button', { name: 'Send link' }).click()
    await mina.getByRole('heading', { name: 'Check your email' }).waitFor()
    await assertSound(mina)
    const mail = await smtp.find(({ link }) => link.startsWith(`${origin}/reset-password`))
    assert.equal(mail.to, 'mina@example.com')
    assert.equal(mail.headers['subject'], 'Choose a new password')
    await mina.goto(mail.link)
    await mina.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor()
    assert.ok(await accepts('mina', PASSWORD))
    await mina.getByLabel('New password').fill(NEW_PASSWORD)
    await mina.getByRole('button', { name: 'Change password' }).click()
    await mina.getByText('Password updated. Sign in with your new password.').waitFor()
    assert.ok(!(await accepts('mina', PASSWORD)))
    await signIn(mina, 'mina', NEW_PASSWORD)
    await mina.getByRole('button', { name: 'Your menu, Mina' }).waitFor()
  })

  test('the user adds a passkey', async () => {
    await addAuthenticator(mina)
    await mina.goto(`${origin}/account?part=security`)
    await mina.getByRole('button', { name: 'Add passkey' }).click()
    await mina.getByRole('dialog').getByLabel('Name').fill('My laptop')
    await confirm(mina, 'Add passkey')
    const codes = mina.getByRole('dialog', { name: 'Save your recovery codes' })
    await codes.getByLabel('I saved them in a safe place').check()
    await codes.getByRole('button', { name: 'Done' }).click()
    await mina.getByRole('heading', { name: 'My laptop' }).waitFor()
  })

  test('a user who is harassed in comments reports and blocks the harasser', async () => {
    await mina.goto(`${origin}/publish?as=article`)
    await mina.getByLabel('Title').fill(WORK)
    await mina.getByLabel('Text', { exact: true }).fill('It rained, and then it did not.')
    const picture = { name: 'river.png', mimeType: 'image/png', buffer: await makePng() }
    await mina.locator('input[type=file]').first().setInputFiles(picture)
    await mina.getByText('1 of 1 uploaded').waitFor({ state: 'attached' })
    await mina.getByRole('button', { name: 'Publish', exact: true }).click()
    await mina.getByText('Published!').waitFor()
    await mina.getByRole('link', { name: 'View work' }).click()
    await mina.getByRole('heading', { level: 1, name: WORK }).waitFor()
    work = new URL(mina.url()).pathname

    await joon.goto(origin + work)
    await joon.getByRole('textbox', { name: 'Write a comment' }).fill(INSULT)
    await joon.getByRole('button', { name: 'Comment', exact: true }).click()
    await joon.getByRole('heading', { name: '1 comment' }).waitFor()
    await mina.reload()
    await mina.getByRole('button', { name: 'Reply to Joon' }).click()
    await mina.getByRole('textbox', { name: 'Reply to Joon' }).fill(REPLY)
    await mina.getByRole('button', { name: 'Reply', exact: true }).click()
    await mina.getByRole('heading', { name: '2 comments' }).waitFor()
    await joon.getByRole('button', { name: 'More', exact: true }).first().click()
    await report(joon, 'work', 'Spam')
    await joon.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

    const comment = mina.getByRole('article').filter({ hasText: INSULT }).first()
    await comment.getByRole('button', { name: 'More', exact: true }).first().click()
    await report(mina, 'comment', 'Harassment or hate')
    await mina.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
    const ask = mina.getByRole('dialog', { name: 'Block Joon?' })
    await ask.getByRole('button', { name: 'Block', exact: true }).click()
    await mina.getByText('A comment by someone you blocked or muted.').waitFor()
    assert.equal(await mina.getByText(INSULT).count(), 0)
    await joon.getByRole('textbox', { name: 'Write a comment' }).fill('A fool, I said.')
    await joon.getByRole('button', { name: 'Comment', exact: true }).click()
    await joon.getByRole('alert').getByText("Couldn't send.").waitFor()
    await assertSound(mina)
  })

  test('the admin hides the comment, and the harasser reads the decision', async () => {
    await boss.goto(`${origin}/moderation`)
    await hideCase(/You are a fool/, 'An insult')
    await hideCase(/A walk along the river/, 'Advertising')
    await boss.getByText('Nothing to review').waitFor()
    await joon.goto(`${origin}/notifications`)
    await joon.getByRole('main').getByRole('link', { name: /hid/ }).first().click()
    await joon.getByRole('heading', { level: 1, name: 'Moderators hid this' }).waitFor()
    await joon.getByText('An insult').waitFor()
    await joon.getByText(INSULT).waitFor()
    await assertGone(joon, work)
  })

  test('work that was hidden by mistake is shown again when the appeal is granted', async () => {
    await mina.reload()
    await mina.getByText('only you can see it. Reason: Advertising').waitFor()
    await mina.getByRole('link', { name: 'Details and appeal' }).click()
    await mina.getByLabel('Your appeal').fill(APPEAL)
    await mina.getByRole('button', { name: 'Send appeal' }).click()
    await mina.getByText('In review').waitFor()
    await boss.goto(`${origin}/moderation/appeals`)
    await boss.getByText(APPEAL).waitFor()
    await boss.getByRole('radio', { name: 'Grant it and undo the decision' }).check()
    await boss.getByLabel('Answer').fill('We are sorry.')
    await boss.getByRole('button', { name: 'Send answer' }).click()
    await boss.getByText('No appeals').waitFor()
    await mina.reload()
    await mina.getByText('We are sorry.').waitFor()
    const visitor = await visit(browser, origin, work)
    await visitor.getByRole('heading', { level: 1, name: WORK }).waitFor()
    await visitor.getByText('Moderators hid this comment.').waitFor()
    await visitor.getByRole('button', { name: '1 reply' }).click()
    await visitor.getByText(REPLY).waitFor()
    assert.equal(await visitor.getByText(INSULT).count(), 0)
    await assertSound(visitor)
  })

  test('the user deletes the account, which is erased after the waiting period', async () => {
    const { code, out } = await plaza(['backup', backup], settings(place))
    assert.equal(code, 0, out)
    await mina.goto(`${origin}/account?part=data`)
    await mina.getByRole('button', { name: 'Delete account' }).click()
    await confirm(mina, 'Delete account')
    await mina.getByRole('region', { name: 'Your account will be deleted on' }).waitFor()
    // The server erases due accounts once a minute, so the test waits up to 90 seconds.
    for (let seconds = 0; seconds < 90; seconds++) {
      if ((await fetch(`${origin}/api/v1/creators/mina`)).status === 404) break
      await wait(1000)
    }
    assert.ok(!(await accepts('mina', NEW_PASSWORD)))
    await assertGone(joon, '/creators/mina')
    await assertGone(joon, work)
    await assertWell(place)
    assert.deepEqual(await findWords(place, HERS), [])
  })

  test('a restore of the earlier backup does not bring the user back', async () => {
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
    const restored = await newPlace()
    copyFileSync(erasureLogIn(place.dataDir), erasureLogIn(restored.dataDir))
    const { code, out } = await plaza(['restore', backup], settings(restored))
    assert.equal(code, 0, out)
    await assertWell(restored)
    assert.deepEqual(await findWords(restored, HERS), [])
    await serve(settings(restored))

    assert.ok(!(await accepts('mina', NEW_PASSWORD)))
    await signIn(mina, 'mina', NEW_PASSWORD)
    await mina.getByRole('alert').getByText('Wrong handle, email or password.').waitFor()
    await mina.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await mina.getByText("This passkey doesn't work here.").waitFor()
    await assertGone(joon, '/creators/mina')
    await assertGone(joon, work)
    await signIn(joon, 'joon', PASSWORD)
    await joon.getByRole('button', { name: 'Your menu, Joon' }).waitFor()
    // The admin needs no new sign-in, because the backup contains the admin's session.
    await boss.goto(`${origin}/admin/members`)
    await boss.getByRole('link', { name: /Joon/ }).waitFor()
    assert.equal(await boss.getByRole('link', { name: /Mina/ }).count(), 0)
    await assertSound(boss)
  })
})
