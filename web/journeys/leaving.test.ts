import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import yauzl from 'yauzl'
import { isPlazaError } from '#sdk'
import { withoutChromium } from '../../test/chromium.ts'
import { assertSound, type Member, publishArticle, setStage } from './stage.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const boss = await stage.admin('boss', 'Boss')
  const mina = await stage.member('mina', 'Mina')
  const phone = { width: 390, height: 844 }

  async function confirm(page: Page, { password }: Member, act: string): Promise<void> {
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current password').fill(password)
    await dialog.getByRole('button', { name: act }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  async function isMissing({ plaza }: Member, id: string): Promise<boolean> {
    try {
      await plaza.contents.get(id)
      return false
    } catch (error) {
      return isPlazaError(error, 'CONTENT_NOT_FOUND')
    }
  }

  test('a user exports the data, downloads a ZIP file that opens, and deletes the export', async () => {
    await publishArticle(mina)
    const page = await stage.visit('/account?part=data', mina)
    await assertSound(page)
    await page.getByRole('button', { name: 'Export data' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export your data?' })
    await dialog.getByLabel('Include my uploaded files').check()
    await assertSound(page)
    await dialog.getByLabel('Current password').fill('not my password')
    await dialog.getByRole('button', { name: 'Export data' }).click()
    await dialog.getByRole('alert').waitFor()
    await confirm(page, mina, 'Export data')
    const download = page.getByRole('link', { name: /^Download export of/ })
    await download.waitFor()
    await page.getByText('With files').waitFor()
    await page.getByText(/^Available until/).waitFor()
    await page.getByText('You can make one export a day.').waitFor()
    const create = page.getByRole('button', { name: 'Export data', disabled: true })
    await create.click({ force: true })
    assert.equal(await page.getByRole('dialog').count(), 0)
    await assertSound(page)
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
    const zip = await yauzl.fromBufferPromise(await readFile(await file.path()))
    const names: string[] = []
    for await (const { fileName } of zip.eachEntry()) names.push(fileName)
    assert.ok(names.includes('account.json') && names.includes('contents.jsonl'))

    await page.goto(`${stage.app.url}/notifications`)
    await page.getByRole('link', { name: 'Your data is ready to download.' }).click()
    await page.getByRole('link', { name: 'Your data', exact: true }).click()
    await page.getByRole('button', { name: /^Delete export of/ }).click()
    await page.getByText('Export deleted').waitFor()
    await download.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Export data', disabled: false }).waitFor()
    assert.deepEqual((await mina.plaza.me.listExports()).exports, [])
  })

  test('an author archives a work, restores it, and deletes it permanently', async () => {
    const { id } = await publishArticle(mina, 'Short lived')
    const page = await stage.visit('/library', mina)
    const menu = page.getByRole('button', { name: 'Menu for “Short lived”' })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await page.getByText('You can restore it later as a draft.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
    await menu.waitFor({ state: 'detached' })
    // Closing the dialog goes back in the history, which would cancel the next navigation.
    await page.waitForFunction(() => !history.state.overlays)
    await page.goto(`${stage.app.url}/library?status=archived`)
    await menu.click()
    await page.getByRole('menuitem', { name: 'Restore' }).click()
    await page.getByText('Restored as a draft').waitFor()
    assert.equal((await mina.plaza.contents.get(id)).content.status, 'draft')

    await mina.plaza.contents.archive(id)
    await page.goto(`${stage.app.url}/contents/${id}`)
    await page.getByText('You archived this work.').waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('You archived this work.').waitFor({ state: 'detached' })

    await mina.plaza.contents.archive(id)
    await page.goto(`${stage.app.url}/publish/${id}`)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: 'Save as draft' }).waitFor()

    await mina.plaza.contents.archive(id)
    await page.goto(`${stage.app.url}/contents/${id}`)
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    const ask = page.getByRole('dialog', { name: 'Delete permanently?' })
    await ask.getByText('comments, likes, saves, plays and uploaded files').waitFor()
    await assertSound(page)
    await ask.getByRole('button', { name: 'Cancel' }).click()
    await ask.waitFor({ state: 'detached' })
    assert.ok(!(await isMissing(mina, id)))
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await ask.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('Deleted permanently').waitFor()
    await page.getByRole('heading', { name: 'Nothing is archived' }).waitFor()
    assert.ok(await isMissing(mina, id))
  })

  test('a user schedules the deletion of the account on a phone, changes the choices, and cancels', async () => {
    const page = await stage.visit('/account?part=data', mina, { ...phone, theme: 'dark' })
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.getByRole('dialog').getByLabel('Keep anonymously').first().check()
    await assertSound(page)
    await confirm(page, mina, 'Delete account')
    const notice = page.getByRole('region', { name: 'Your account will be deleted on' })
    await notice
      .getByText('Your works stay, without your name. Your comments and posts will be deleted.')
      .waitFor()
    await assertSound(page)
    const { user } = await mina.plaza.me.get()
    assert.deepEqual([user.deletion?.contents, user.deletion?.texts], ['keep', 'erase'])
    await page.getByRole('button', { name: 'Change choices' }).click()
    await page.getByRole('dialog').getByLabel('Keep anonymously').last().check()
    await confirm(page, mina, 'Change choices')
    await notice.getByText('Your comments and posts stay, without your name.').waitFor()
    await page.goto(`${stage.app.url}/account`)
    await notice.getByRole('button', { name: 'Cancel deletion' }).click()
    await page.getByText('Account deletion cancelled').waitFor()
    await notice.waitFor({ state: 'detached' })
    assert.equal((await mina.plaza.me.get()).user.deletion, null)
  })

  test('the page is complete in Korean, and the last admin cannot be deleted', async () => {
    for (const { id, handle, role } of (await boss.plaza.users.list()).users) {
      if (role === 'admin' && handle !== boss.handle) {
        await boss.plaza.users.update(id, { role: 'user' })
      }
    }
    const page = await stage.visit('/account?part=data', boss, { ...phone, language: 'ko' })
    await page.getByRole('button', { name: '계정 삭제' }).click()
    const dialog = page.getByRole('dialog', { name: '계정을 삭제할까요?' })
    await dialog.getByLabel('현재 비밀번호').fill(boss.password)
    await assertSound(page)
    await dialog.getByRole('button', { name: '계정 삭제' }).click()
    await dialog.getByRole('alert').getByText('관리자가 한 명은 남아 있어야 해요.').waitFor()
    assert.equal((await boss.plaza.me.get()).user.deletion, null)
  })

  test('an admin deletes the account of another user with a reason', async () => {
    const { id: contentId } = await publishArticle(mina, 'To be kept')
    const { users } = await boss.plaza.users.list({ q: 'mina' })
    const page = await stage.visit(`/admin/members/${users[0]?.id}`, boss)
    await page.getByRole('button', { name: 'Delete account' }).click()
    const ask = page.getByRole('dialog', { name: 'Delete the account of @mina?' })
    await ask.getByText('Enter a reason first.').waitFor()
    await ask.getByLabel('Keep anonymously').first().check()
    await ask.getByLabel('Reason').fill('Requested by letter')
    await assertSound(page)
    await ask.getByRole('button', { name: 'Delete account' }).click()
    await page.getByText('Account deleted').waitFor()
    await page.getByRole('table', { name: 'Users' }).waitFor()
    await page.getByRole('link', { name: /Mina/ }).waitFor({ state: 'detached' })
    assert.deepEqual((await boss.plaza.users.list({ q: 'mina' })).users, [])
    const { content } = await boss.plaza.contents.get(contentId)
    assert.match(content.creator.handle, /^deleted_/)
  })
})
