import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { assertSound, type Member, publishArticle, setStage, enterPassword } from './stage.ts'

const NOTHING = 'Page not found'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const boss = await stage.admin('boss', 'Boss')
  const mina = await stage.member('mina', 'Mina')
  const joon = await stage.member('joon', 'Joon')

  test('a suspended user is signed out at the next action and can sign in once reinstated', async () => {
    const content = await publishArticle(mina)
    const theirs = await stage.visit(`/contents/${content.id}`, joon)
    const like = theirs.getByRole('button', { name: 'Like, 0' })
    await like.waitFor()
    const page = await stage.visit('/admin/members', boss)
    const members = page.getByRole('table', { name: 'Users' })
    await members.getByRole('link', { name: /Mina/ }).waitFor()
    await assertSound(page)
    await page.getByRole('searchbox', { name: 'Search users' }).pressSequentially('joo')
    await page.getByText('1 user', { exact: true }).waitFor()
    assert.equal(await members.getByRole('link', { name: /Mina/ }).count(), 0)
    assert.equal(new URL(page.url()).search, '?q=joo')
    await members.getByRole('link', { name: /Joon/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Joon' }).waitFor()
    await page.getByText('No changes yet.').waitFor()
    await assertSound(page)

    await page.getByRole('button', { name: 'Suspend' }).click()
    const ask = page.getByRole('dialog', { name: 'Suspend @joon?' })
    await ask.getByRole('button', { name: 'Suspend', disabled: true }).waitFor()
    await ask.getByText('Enter a reason first.').waitFor()
    await ask.getByLabel('Reason').fill('Spam in comments')
    await assertSound(page)
    await ask.getByRole('button', { name: 'Suspend' }).click()
    await page.getByText('User suspended').waitFor()
    await page.getByRole('row', { name: /@boss Suspended Spam in comments/ }).waitFor()

    await like.click()
    await theirs.getByText('Your session ended. Sign in again to continue.').waitFor()
    await theirs.getByRole('link', { name: 'Sign in' }).waitFor()
    assert.equal((await mina.plaza.contents.get(content.id)).content.like_count, 0)
    await assertSound(theirs)
    await signIn(theirs, joon)
    await theirs.getByRole('alert').getByText('This account is suspended.').waitFor()
    assert.equal(new URL(theirs.url()).pathname, '/sign-in')

    await page.getByRole('button', { name: 'Lift suspension' }).click()
    const lift = page.getByRole('dialog', { name: 'Lift suspension of @joon?' })
    await lift.getByLabel('Reason').fill('It was a mistake')
    await lift.getByRole('button', { name: 'Lift suspension' }).click()
    await page.getByRole('row', { name: /Suspension lifted It was a mistake/ }).waitFor()
    assert.deepEqual(await auditOf(page), [
      ['@boss', 'Suspension lifted', 'It was a mistake'],
      ['@boss', 'Suspended', 'Spam in comments'],
    ])
    await signIn(theirs, joon)
    await theirs.getByRole('button', { name: 'Your menu, Joon' }).waitFor()
    await theirs.goto(`${stage.app.url}/contents/${content.id}`)
    const taken = theirs.waitForResponse((answer) => answer.url().endsWith('/like'))
    await like.click()
    await theirs.getByRole('button', { name: 'Like, 1', pressed: true }).waitFor()
    assert.equal((await taken).status(), 200)
    assert.equal((await mina.plaza.contents.get(content.id)).content.like_count, 1)
  })

  test('an administrator cannot suspend or demote their own account and is told why', async () => {
    const { users } = await boss.plaza.users.list({ q: 'boss' })
    const page = await stage.visit(`/admin/members/${users[0]?.id}`, boss)
    const suspend = page.getByRole('button', { name: 'Suspend', disabled: true })
    const demote = page.getByRole('button', { name: 'Make member', disabled: true })
    await suspend.click({ force: true })
    await demote.click({ force: true })
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.match(await describedBy(page, 'Suspend'), /can't suspend yourself/)
    assert.match(await describedBy(page, 'Make member'), /can't change your own role/)
    await assertSound(page)
  })

  test('all of a user’s details are visible at every screen width', async () => {
    for (const width of [320, 768, 1280]) {
      const page = await stage.visit('/admin/members', boss, { width })
      const row = page.getByRole('table', { name: 'Users' }).getByRole('row', { name: '@joon' })
      await row.waitFor()
      for (const cell of await row.getByRole('cell').all()) {
        const box = await cell.boundingBox()
        assert.ok(box && box.width > 0 && box.x >= 0 && box.x + box.width <= width)
      }
      assert.equal(await page.getByRole('group', { name: 'Users' }).count(), 0)
      await assertSound(page)
      await page.close()
    }
  })

  test('the administration shows a 404 page to ordinary users and sign-in to visitors', async () => {
    const { users } = await boss.plaza.users.list({ q: 'boss' })
    const page = await stage.visit('/admin', joon)
    await page.getByRole('heading', { level: 1, name: NOTHING }).waitFor()
    await assertSound(page)
    await page.goto(`${stage.app.url}/admin/members/${users[0]?.id}`)
    await page.getByRole('heading', { level: 1, name: NOTHING }).waitFor()
    assert.doesNotMatch(await page.content(), /boss@example\.com/)
    await page.getByRole('button', { name: 'Your menu, Joon' }).click()
    await page.getByRole('menuitem', { name: 'Developer console' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: 'Admin' }).count(), 0)
    const nobodys = await stage.visit('/admin')
    await nobodys.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  })
})

async function signIn(page: Page, member: Member): Promise<void> {
  if (new URL(page.url()).pathname !== '/sign-in') {
    await page.getByRole('link', { name: 'Sign in' }).click()
  }
  await enterPassword(page, member)
}

async function auditOf(page: Page): Promise<string[][]> {
  const rows = await page.getByRole('table', { name: 'Audit log' }).locator('tbody tr').all()
  return Promise.all(
    rows.map(async (row) => (await row.getByRole('cell').allInnerTexts()).slice(1, 4)),
  )
}

function describedBy(page: Page, name: string): Promise<string> {
  return page
    .getByRole('button', { name })
    .evaluate(
      (button) =>
        document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent ?? '',
    )
}
