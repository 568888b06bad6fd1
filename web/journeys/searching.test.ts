import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withoutChromium } from '../../test/chromium.ts'
import { assertSound, publishArticle, setStage } from './stage.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina_kim', '미나')
  await publishArticle(mina, '한강의 아침')
  await publishArticle(mina, 'A walk along the river')
  await publishArticle(mina, 'River notes', { tags: ['river'] })

  test('the search field is reached by the slash key and suggests creators and tags', async () => {
    const page = await stage.visit('/community')
    await page.getByRole('heading', { level: 1, name: 'Community' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('riv')
    const suggestions = page.getByRole('list', { name: 'Suggestions' })
    await suggestions.getByRole('link', { name: /^river/ }).waitFor()
    await assertSound(page)
    await page.keyboard.press('Escape')
    await suggestions.waitFor({ state: 'detached' })
    await page.keyboard.type('e')
    await suggestions.getByRole('link', { name: 'Search for “rive”' }).waitFor()
    await suggestions.getByRole('link', { name: /^river/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: '#river' }).waitFor()
  })

  test('results are shown by kind, and filters stay in the address', async () => {
    const page = await stage.visit('/')
    const field = page.getByRole('searchbox', { name: 'Search' })
    await field.fill('river')
    await field.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Results for “river”' }).waitFor()
    await page.getByText('2 results').waitFor()
    await page.getByRole('link', { name: 'River notes' }).waitFor()
    assert.equal(await page.getByRole('link', { name: '한강의 아침' }).count(), 0)
    await assertSound(page)
    await page.getByLabel('Type').selectOption('video')
    await page.getByText('No results for “river”').waitFor()
    assert.equal(new URL(page.url()).search, '?q=river&type=video')
    await page.getByRole('link', { name: 'Tags', exact: true }).click()
    await page
      .getByRole('main')
      .getByRole('link', { name: /^river/ })
      .waitFor()
    await page.getByRole('link', { name: 'Creators' }).click()
    await page.getByText('No results for “river”').waitFor()
    await assertSound(page)
  })

  test('a like of a post in the results shows before the server responds', async () => {
    await mina.plaza.posts.create({ body: 'Lanterns on the water.' })
    const page = await stage.visit('/search?q=lanterns&kind=posts', await stage.member('eun', 'E'))
    await page.route('**/like', () => {})
    const post = page.getByRole('article', { name: 'Post by 미나' })
    await post.getByRole('button', { name: 'Like', pressed: false }).click()
    await post.getByRole('button', { name: 'Like, 1', pressed: true }).waitFor()
  })

  test('two Korean syllables are found on a phone', async () => {
    const page = await stage.visit('/', undefined, { language: 'ko', width: 390, height: 844 })
    await page.getByRole('link', { name: '검색' }).click()
    const field = page.getByRole('main').getByRole('searchbox', { name: '검색' })
    await field.fill('한강')
    await field.press('Enter')
    await page.getByRole('link', { name: '한강의 아침' }).waitFor()
    await assertSound(page)
  })

  test('the page without a query shows trending tags, and their pages can be followed', async () => {
    const jun = await stage.member('jun_lee', '준')
    await publishArticle(jun, 'River at night', { tags: ['river'] })
    const page = await stage.visit('/search', jun)
    await page.getByRole('heading', { name: 'Trending tags' }).waitFor()
    await assertSound(page)
    await page.getByRole('main').getByRole('link', { name: 'river 2 works' }).click()
    await page.getByText('2 works', { exact: true }).waitFor()
    const follow = page.getByRole('button', { name: 'Follow #river', pressed: false })
    const followed = page.getByRole('button', { name: 'Following #river', pressed: true })
    await follow.click()
    await followed.waitFor()
    await assertSound(page)
    await page.reload()
    await followed.click()
    await follow.waitFor()
    assert.equal((await jun.plaza.tags.get('river')).tag.is_following, false)
  })

  test('results of blocked creators are left out, and pages without any are skipped', async () => {
    const [noisy, reader] = [
      await stage.member('noisy', 'Noisy'),
      await stage.member('reader', 'R'),
    ]
    await publishArticle(mina, 'Meadow, first')
    // Fills the first page of results.
    for (let i = 0; i < 24; i++) await publishArticle(noisy, `Meadow ${i}`)
    await publishArticle(noisy, 'Orchard')
    await reader.plaza.creators.block('noisy')
    const page = await stage.visit('/search?q=meadow&sort=latest', reader)
    await page.getByRole('link', { name: 'Meadow, first' }).waitFor()
    assert.equal(await page.getByRole('link', { name: /^Meadow/ }).count(), 1)
    await page.goto(`${stage.app.url}/search?q=orchard`)
    await page.getByText('All results are hidden').waitFor()
    await assertSound(page)
  })

  test('the home page shows trending tags or contents with followed tags, and contents of followed creators', async () => {
    const walker = await stage.member('walker', 'W')
    const tags = ['lake', 'hill', 'moss']
    for (const member of [mina, walker])
      for (const title of ['Dawn', 'Noon', 'Dusk', 'Night'])
        await publishArticle(member, title, { tags })
    const page = await stage.visit('/', walker)
    const trending = page.getByRole('region', { name: 'Trending tags' })
    await trending.getByRole('link', { name: '#lake' }).waitFor()
    const followed = page.getByRole('region', { name: 'New from creators you follow' })
    assert.equal(await followed.count(), 0)
    await assertSound(page)
    const tabs = page.getByRole('navigation', { name: 'Sort by' })
    await tabs.getByRole('link', { name: 'Tags' }).click()
    await page.getByText('New works with tags you follow appear here').waitFor()
    await assertSound(page)

    await page.goto(`${stage.app.url}/tags/lake`)
    await page.getByRole('button', { name: 'Follow #lake', pressed: false }).click()
    await page.getByRole('button', { name: 'Following #lake', pressed: true }).waitFor()
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    const row = page.getByRole('region', { name: 'New with tags you follow' })
    await row.getByRole('link', { name: 'Dawn' }).first().waitFor()
    assert.equal(await trending.count(), 0)
    await row.getByRole('link', { name: /^See more/ }).click()
    await page.waitForURL('**/?sort=tags')
    await page.getByRole('link', { name: 'Night' }).first().waitFor()
    const { length } = await page.locator('main article').all()
    assert.equal(length, 8)
    await assertSound(page)

    await walker.plaza.creators.follow('mina_kim')
    await page.goto(stage.app.url)
    await followed.getByRole('link', { name: 'Noon' }).first().waitFor()
    await followed.getByRole('link', { name: /^See more/ }).click()
    await page.waitForURL('**/?sort=following')
  })
})
