import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withoutChromium } from '../../test/chromium.ts'
import { bytesOf, makeVideo, NO_FFMPEG } from '../../test/videos.ts'
import { assertSound, type Member, setStage } from './stage.ts'
import { drawing } from '../../test/uploads.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const boss = await stage.admin('boss', 'Boss')
  const mina = await stage.member('mina_kim', '미나')
  await stage.member('joon', 'Joon Park')

  test('the list of users shows each avatar, or a letter without one', async () => {
    await choosePortrait(mina)
    const { user } = await mina.plaza.me.get()
    const page = await stage.visit('/admin/members', boss)
    const rowOf = (handle: string) => page.getByRole('row').filter({ hasText: `@${handle}` })
    await rowOf('mina_kim').waitFor()
    const portrait = rowOf('mina_kim').locator('img')
    assert.equal(await portrait.getAttribute('src'), user.avatar_url)
    assert.ok(await portrait.evaluate((image: HTMLImageElement) => image.decode().then(() => true)))
    assert.equal(await rowOf('joon').locator('img').count(), 0)
    assert.equal(await rowOf('joon').locator('[data-letter="J"]').count(), 1)
    await assertSound(page)
  })

  test('typing part of a name or handle shows only the matching followed users', async () => {
    await boss.plaza.creators.follow('mina_kim')
    await boss.plaza.creators.follow('joon')
    const page = await stage.visit('/messages', boss)
    await page.getByRole('button', { name: 'New conversation' }).first().click()
    const dialog = page.getByRole('dialog')
    const users = dialog.getByRole('listitem')
    await users.nth(1).waitFor()
    const field = dialog.getByLabel('Handle')
    for (const [part, shown] of [
      ['PARK', ['joon']],
      ['미', ['mina_kim']],
      ['@na_k', ['mina_kim']],
      ['', ['joon', 'mina_kim']],
      ['nobody', []],
    ] as const) {
      await field.fill(part)
      const handles = (await users.allInnerTexts()).map((text) => text.split('@')[1]).toSorted()
      assert.deepEqual(handles, shown, part)
    }
    await dialog.getByText(/^No match among the people you follow/).waitFor()
    await assertSound(page)
    await field.fill('park')
    await users.getByRole('button').click()
    await page.waitForURL(/\/messages\/cnv_|\/messages\/\w+/)
  })

  test('the profile’s address is shown for a valid handle only', async () => {
    const page = await stage.visit('/sign-up')
    const handle = page.getByLabel('Handle', { exact: true })
    const address = page.getByText(/\/creators\//)
    await page.getByText('3 to 30 lowercase letters, digits or underscores (_)').waitFor()
    for (const wrong of ['', 'bad name!', 'ab']) {
      await handle.fill(wrong)
      assert.equal(await address.count(), 0, wrong)
    }
    await handle.fill('bad name!')
    await page.getByRole('alert').getByText('Use only lowercase').waitFor()
    assert.equal(await address.count(), 0)
    await handle.fill('good_name')
    await page.getByText('/creators/good_name').waitFor()
    assert.equal(await page.getByRole('alert').filter({ hasText: 'Use only' }).count(), 0)
  })

  test('the preview of a video shows the same frame as its file', {
    skip: NO_FFMPEG,
  }, async () => {
    const page = await stage.visit('/publish', mina)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose files' }).click()
    const buffer = bytesOf(makeVideo({ ending: 'webm', size: '160x90' }))
    await (await chooser).setFiles([{ name: 'clip.webm', mimeType: 'video/webm', buffer }])
    const preview = page.locator('[inert] video')
    await preview.waitFor()
    const row = page.locator('ol video')
    assert.equal(await preview.getAttribute('src'), await row.getAttribute('src'))
    await page.waitForFunction(() =>
      [...document.querySelectorAll('video')].every(({ readyState }) => readyState >= 2),
    )
    assert.equal(await page.locator('[inert] svg').count(), 0)
    const box = await preview.boundingBox()
    assert.ok(box && box.width > 100 && box.height > 50)
    await assertSound(page)
  })
})

async function choosePortrait({ plaza }: Member): Promise<void> {
  const bytes = new Uint8Array(await drawing(320, 320).png().toBuffer())
  const { id } = await plaza.upload(new File([bytes], 'portrait.png'))
  await plaza.me.update({ avatar_upload_id: id })
}
