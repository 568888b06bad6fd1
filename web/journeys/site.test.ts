import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { withoutChromium } from '../../test/chromium.ts'
import { until } from '../../test/receiver.ts'
import { assertSound, publishArticle, setStage } from './stage.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const boss = await stage.admin('boss', 'Boss')
  const mina = await stage.member('mina', 'Mina')
  const revision = async () => (await boss.plaza.site.getSettings()).revision

  test('other visitors see a new name, logo, accent colour and rules', async () => {
    const page = await stage.visit('/admin/site', boss)
    await page.getByLabel('Name', { exact: true }).fill('River Club')
    await page.getByLabel('Description').fill('For people who like rivers.')
    await page.getByLabel('Accent colour').fill('#ffdd00')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose logo' }).click()
    const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: '#0a7' } })
    await (await chooser).setFiles([
      { name: 'logo.png', mimeType: 'image/png', buffer: await picture.png().toBuffer() },
    ])
    await page.getByRole('img', { name: 'Logo' }).waitFor()
    const preview = page.getByRole('complementary', { name: 'Preview' })
    await preview.getByText('River Club').first().waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Settings saved').waitFor()
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByLabel('Rule 1 (English)').fill('Respect each other.')
    await page.getByRole('button', { name: 'Save rules' }).click()
    await page.getByText('Rules saved').waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    await assertSound(page)

    for (const theme of ['light', 'dark'] as const) {
      const themed = await stage.visit('/', undefined, { theme })
      const logo = themed.getByRole('link', { name: 'River Club' }).first()
      await logo.locator('img').waitFor()
      assert.equal(await themed.title(), 'Home - River Club')
      assert.notEqual(await accentOf(themed), '#2b59c3')
      await assertSound(themed)
      await themed.close()
    }
    const reader = await stage.visit('/about')
    await reader.getByText('For people who like rivers.').waitFor()
    await reader.getByRole('main').getByRole('link', { name: 'Rules' }).click()
    await reader.getByText('Respect each other.').waitFor()
    await assertSound(reader)
  })

  test('an editor keeps the input when another editor saves first', async () => {
    const page = await stage.visit('/admin/site', boss)
    await page.getByLabel('Description').fill('Mine')
    await boss.plaza.site.updateSettings({ revision: await revision(), name: 'Lake Club' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').getByText('Another editor saved first.').waitFor()
    const name = page.getByLabel('Name', { exact: true })
    await until(async () => (await name.inputValue()) === 'Lake Club', 'the saved name')
    assert.equal(await page.getByLabel('Description').inputValue(), 'Mine')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Settings saved').waitFor()
    const { settings } = await boss.plaza.site.getSettings()
    assert.deepEqual([settings.name, settings.description], ['Lake Club', 'Mine'])
  })

  test('a page in Markdown is written with a preview and read, and HTML stays text', async () => {
    const page = await stage.visit('/admin/pages', boss)
    await page.getByRole('link', { name: 'New page' }).click()
    await page.getByLabel('Address').fill('terms')
    await page.getByLabel('Title (English)').fill('Terms')
    await page
      .getByLabel('Text (English)')
      .fill(
        '# Promise\n\n**Be kind.** <img src=x onerror=alert(1)> [x](javascript:alert(1))\n\n- [rules](/rules)',
      )
    await page.getByRole('region', { name: 'Preview' }).getByText('Be kind.').waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Save page' }).click()
    await page.getByRole('row', { name: /Terms \/pages\/terms/ }).waitFor()
    await assertSound(page)

    const reader = await stage.visit('/about', undefined, { width: 390 })
    await reader.getByRole('link', { name: 'Terms' }).click()
    await reader.getByRole('heading', { level: 2, name: 'Promise' }).waitFor()
    await reader.getByText('<img src=x onerror=alert(1)>').waitFor()
    await reader.getByText('[x](javascript:alert(1))').waitFor()
    const text = reader.getByRole('main')
    assert.equal(await text.locator('img').count(), 0)
    assert.equal(await text.getByRole('link', { name: 'rules' }).getAttribute('href'), '/rules')
    await assertSound(reader)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No pages').waitFor()
    await reader.reload()
    await reader.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  })

  test('visitors and users can close an announcement for good', async () => {
    const page = await stage.visit('/admin/announcements', boss)
    await page.getByRole('button', { name: 'New announcement' }).click()
    await page.getByLabel('Title (English)').fill('Maintenance tonight')
    await page.getByLabel('Text (optional) (English)').fill('Back at nine.')
    await page.getByLabel('Link (optional)').fill('/rules')
    await assertSound(page)
    await page.getByRole('button', { name: 'Announce', exact: true }).click()
    await page.getByRole('row', { name: /Maintenance tonight Shown/ }).waitFor()

    for (const reader of [undefined, mina]) {
      const theirs = await stage.visit('/', reader, { width: 390 })
      const bar = theirs.getByRole('complementary', { name: 'Announcement' })
      await bar.getByText('Maintenance tonight').click()
      await bar.getByText('Back at nine.').waitFor()
      await assertSound(theirs)
      await bar.getByRole('button', { name: 'Close announcement' }).click()
      await bar.waitFor({ state: 'detached' })
      await theirs.waitForLoadState('networkidle')
      await theirs.reload()
      await theirs.getByRole('heading', { level: 1, name: 'Home' }).waitFor({ state: 'attached' })
      await theirs.waitForLoadState('networkidle')
      assert.equal(await bar.count(), 0)
    }
    const { announcements } = await mina.plaza.site.listAnnouncements()
    assert.deepEqual(
      announcements.map(({ is_read }) => is_read),
      [true],
    )
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No announcements').waitFor()
  })

  test('picks appear on the home page in their order', async () => {
    const [first, second] = [
      await publishArticle(mina, 'First walk'),
      await publishArticle(mina, 'Second walk'),
    ]
    const page = await stage.visit('/admin/picks', boss)
    for (const { id } of [first, second]) {
      await page.getByLabel('Link to the work').fill(`${stage.app.url}/contents/${id}`)
      await page.getByLabel('Note (optional)').fill('Editors liked it')
      await page.getByRole('button', { name: 'Add pick' }).click()
      await page.locator(`a[href="/contents/${id}"]`).waitFor()
    }
    await page.getByLabel('Link to the work').fill('nothing')
    await page.getByRole('button', { name: 'Add pick' }).click()
    await page.getByRole('alert').getByText('No public work found').waitFor()
    await page.getByRole('button', { name: 'Move Second walk up' }).click()
    await page.getByRole('row').nth(1).getByText('Second walk').waitFor()
    await assertSound(page)

    const reader = await stage.visit('/')
    const titles = reader.getByRole('region', { name: 'Picks' }).getByRole('heading', { level: 3 })
    await titles.nth(1).waitFor()
    assert.deepEqual(await titles.allInnerTexts(), ['Second walk', 'First walk'])
    assert.equal(await reader.getByText('Editors liked it').count(), 2)
    await assertSound(reader)
  })

  test('a user with a permission sees only the sections it opens', async () => {
    const { user } = await mina.plaza.me.get()
    const page = await stage.visit(`/admin/members/${user.id}`, boss)
    await page.getByLabel('Sign-ups').check()
    await page.getByRole('button', { name: 'Save permissions' }).click()
    await page.getByText('Permissions updated').waitFor()
    await assertSound(page)
    const theirs = await stage.visit('/admin', mina)
    await theirs.getByRole('heading', { level: 1, name: 'Applications' }).waitFor()
    const sections = theirs.getByRole('navigation', { name: 'Administration' }).getByRole('link')
    assert.deepEqual(await sections.allInnerTexts(), ['Applications', 'Invites', 'Bans'])
    await assertSound(theirs)
    await theirs.goto(`${stage.app.url}/admin/site`)
    await theirs.getByRole('heading', { level: 1, name: /Page not found/ }).waitFor()

    await page.goto(`${stage.app.url}/admin/audit`)
    await page.getByRole('row', { name: /Permissions changed/ }).waitFor()
    await page.getByLabel('Change').selectOption('rules_changed')
    const row = page.getByRole('row', { name: /@boss Changed the rules/ })
    await row.getByText('Details').click()
    await row.getByText(/English: Respect each other/).waitFor()
    assert.equal(await row.getByText('Rules', { exact: true }).count(), 1)
    assert.equal(await page.getByRole('row', { name: /Permissions changed/ }).count(), 0)
    await assertSound(page)
  })
})

function accentOf(page: Page): Promise<string> {
  return page.evaluate(() =>
    getComputedStyle(document.documentElement).getPropertyValue('--accent').trim(),
  )
}
