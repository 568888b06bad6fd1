import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page, Response } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { until } from '../../test/receiver.ts'
import { drawing } from '../../test/uploads.ts'
import { type Look, setStage, publishFiles } from './stage.ts'

const PHONE: Look = { width: 390, height: 844, isTouch: true }

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const drawn = await drawing(2600, 1700).png().toBuffer()
  const content = await publishFiles(mina, 'The bridge', [drawn])
  const shown = async () => (await mina.plaza.contents.get(content.id)).content
  await until(async () => (await shown()).thumbnail_sizes.length > 0, 'the sizes')
  const { sizes, url: original } = (await shown()).media[0] ?? {}
  assert.ok(sizes && original)
  const urlOf = (width: number) => sizes.find((size) => size.width === width)?.url ?? ''

  /** Opens a page and returns the paths of the uploaded files that it loads. */
  async function open(path: string, look: Look): Promise<{ page: Page; loaded: string[] }> {
    const page = await stage.visit('/about', undefined, look)
    const loaded: string[] = []
    page.on('response', (response: Response) => {
      const { pathname } = new URL(response.url())
      if (pathname.startsWith('/uploads/')) loaded.push(pathname)
    })
    await page.goto(stage.app.url + path)
    return { page, loaded }
  }

  const picture = (page: Page) => page.getByRole('img', { name: 'The bridge' }).first()
  const isLoaded = (page: Page) =>
    picture(page).evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)

  test('a phone loads a small file, once, and the original only to zoom in', async () => {
    const { page, loaded } = await open(`/contents/${content.id}`, PHONE)
    await until(() => isLoaded(page), 'the picture')
    await page.waitForLoadState('networkidle')
    assert.deepEqual(loaded, [urlOf(640)])
    await page.getByRole('button', { name: /enlarge/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await page.waitForLoadState('networkidle')
    assert.ok(!loaded.includes(original))
    await dialog.getByRole('img').click()
    await until(() => loaded.includes(original), 'the original')
    const width = await dialog.getByRole('img').evaluate((image) => image.clientWidth)
    assert.equal(width, 2600)
  })

  test('a large window loads a larger file', async () => {
    const { page, loaded } = await open(`/contents/${content.id}`, { width: 1440, height: 1200 })
    await until(() => isLoaded(page), 'the picture')
    await page.waitForLoadState('networkidle')
    assert.deepEqual(loaded, [urlOf(1280)])
  })

  test('a card loads the size of its column', async () => {
    const { page, loaded } = await open('/creators/mina', PHONE)
    await page.getByRole('link', { name: 'The bridge' }).waitFor()
    await page.waitForLoadState('networkidle')
    assert.ok(loaded.length > 0 && !loaded.includes(original), loaded.join())
    const { thumbnail_sizes } = await shown()
    const widths = loaded.map((path) => thumbnail_sizes.find(({ url }) => url === path)?.width)
    assert.deepEqual([...new Set(widths)].toSorted(), [160, 640], loaded.join())
  })
})
