import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withoutChromium } from '../../test/chromium.ts'
import { assertSound, publishArticle, setStage } from './stage.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const joon = await stage.member('joon', 'Joon')
  await mina.plaza.me.update({ bio: 'Films: https://films.example/mina, javascript:alert(1)' })
  const walk = await publishArticle(mina, 'A walk along the river')
  for (const title of ['Rain', 'Snow']) await publishArticle(mina, title)
  for (const [category, title] of [
    ['hype', 'Sea'],
    ['swipe', 'Tall trees'],
  ] as const)
    await mina.plaza.contents.create({ category, type: 'image', title })
  await publishArticle(mina, 'Unfinished', { publish: false })
  const publish_at = new Date(Date.now() + 86_400_000).toISOString()
  const scheduled = await publishArticle(mina, 'Tomorrow’s walk', { publish: false, publish_at })
  await joon.plaza.contents.like(walk.id)
  const { post } = await joon.plaza.posts.create({ body: 'Where do you walk?' })
  await mina.plaza.posts.createReply(post.id, { body: 'Along the river.' })

  test('tabs, orders and Back show parts of a profile by address', async () => {
    const page = await stage.visit('/creators/mina')
    const tabs = page.getByRole('navigation', { name: 'Profile lists' })
    const titles = () => page.locator('main article h3').allInnerTexts()
    await page.getByRole('heading', { level: 2, name: 'A walk along the river' }).waitFor()
    await page.getByText('Featured', { exact: true }).waitFor()
    // The list leaves out the featured content.
    assert.deepEqual(await titles(), ['Tall trees', 'Sea', 'Snow', 'Rain'])
    assert.deepEqual(await tabs.getByRole('link').allInnerTexts(), [
      'All',
      'Images',
      'Articles',
      'Posts',
    ])
    const link = page.getByRole('link', { name: 'https://films.example/mina' })
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer nofollow ugc')
    assert.equal(await page.locator('a[href^="javascript:"]').count(), 0)
    await assertSound(page)

    await tabs.getByRole('link', { name: 'Articles' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Articles' }).waitFor()
    await page.getByRole('link', { name: 'A walk along the river' }).waitFor()
    assert.deepEqual(await titles(), ['Snow', 'Rain', 'A walk along the river'])
    assert.equal(await page.getByText('Featured', { exact: true }).count(), 0)
    await page.getByRole('link', { name: 'Popular', exact: true }).click()
    await page.waitForURL('**/creators/mina?tab=article&sort=popular')
    await page.waitForFunction(
      () => document.querySelector('main article h3')?.textContent === 'A walk along the river',
    )
    const current = tabs.locator('[aria-current="page"]')
    assert.equal(await current.innerText(), 'Articles')
    await assertSound(page)

    await page.goBack()
    await page.waitForURL('**/creators/mina?tab=article')
    await page.goBack()
    await page.getByText('Featured', { exact: true }).waitFor()
    assert.equal(await current.innerText(), 'All')
    await page.goto(`${stage.app.url}/creators/mina?tab=posts`)
    await page.getByText('Along the river.').waitFor()
    assert.equal(await current.innerText(), 'Posts')
    await assertSound(page)
    await page.getByRole('link', { name: 'View original post' }).click()
    await page.getByText('Where do you walk?').first().waitFor()
  })

  test('a profile without contents has only the tabs All and Posts', async () => {
    const page = await stage.visit('/creators/joon')
    await page.getByText("Joon hasn't published anything yet").waitFor()
    const tabs = page.getByRole('navigation', { name: 'Profile lists' })
    assert.deepEqual(await tabs.getByRole('link').allInnerTexts(), ['All', 'Posts'])
    await assertSound(page)
  })

  test('an author finds own contents of every status in the library', async () => {
    const page = await stage.visit('/library', mina)
    const row = (title: string) => page.getByRole('row').filter({ hasText: title })
    await row('Unfinished').getByText('Draft').waitFor()
    await row('Rain').getByText('Published').waitFor()
    await row('Tomorrow’s walk').getByText('Scheduled').waitFor()
    assert.equal(await page.getByRole('row').count(), 8)
    await page.getByRole('columnheader', { name: 'Comments' }).waitFor()
    await assertSound(page)

    const field = page.getByRole('searchbox', { name: 'Search your works' })
    await field.fill('walk')
    await row('Rain').waitFor({ state: 'detached' })
    await page.waitForURL('**/library?find=walk')
    await row('Tomorrow’s walk').waitFor()
    assert.equal(await page.getByRole('row').count(), 3)
    await page.getByRole('link', { name: 'Drafts' }).click()
    await page.waitForURL('**/library?status=draft&find=walk')
    await row('along the river').waitFor({ state: 'detached' })
    await row('Tomorrow’s walk').waitFor()
    assert.equal(await page.getByRole('row').count(), 2)
    await field.fill('nothing like it')
    await page.getByText('None of your works match “nothing like it”').waitFor()
    await assertSound(page)
    await field.fill('')
    await row('Unfinished').waitFor()
    await row('Tomorrow’s walk').getByRole('link').click()
    await page.waitForURL(`**/publish/${scheduled.id}`)
  })

  test('the library is a list on a phone', async () => {
    const page = await stage.visit('/library', mina, { language: 'ko', width: 390, height: 844 })
    await page.getByRole('link', { name: 'Unfinished' }).waitFor()
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(wide <= 390, `${wide} px`)
    await assertSound(page)
    await page.getByRole('button', { name: '‘Unfinished’ 메뉴' }).click()
    await page.getByRole('menuitem', { name: '수정' }).waitFor()
  })
})
