import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { buildClient } from '../../src/web/build.ts'
import { withoutChromium } from '../../test/chromium.ts'
import { zipOf } from '../../test/playing.ts'
import { until } from '../../test/receiver.ts'
import { bytesOf, makeVideo, NO_FFMPEG } from '../../test/videos.ts'
import { PAGE, publish } from './games.ts'
import { type Member, publishArticle, setStage, publishFiles } from './stage.ts'
import { drawing } from '../../test/uploads.ts'

/** Maximum bytes of the scripts that a first visit loads, compressed with Brotli. */
const SCRIPTS_MAX = 100_000
/** Maximum bytes of the home page's scripts and styles, per compression. */
const MOST = { br: 110_000, gzip: 120_000 }

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  await publishArticle(mina, 'One')
  const body = 'It rained, and then it did not.\n\n'.repeat(60)
  const article = await publishArticle(mina, 'A long walk', { body })
  const zip = await zipOf({ 'index.html': PAGE })
  const game = await publish(mina, { title: 'Lights', bytes: zip })
  const pages = {
    home: '/',
    'an article': `/contents/${article.id}`,
    'a game': `/contents/${game}`,
    ...(!NO_FFMPEG && { 'a video': `/contents/${await publishVideo(mina)}` }),
    'a creator': '/creators/mina',
    search: '/search?q=one',
  }

  for (const [name, path] of Object.entries(pages)) {
    test(`a first visit of ${name} loads at most 100 kB of scripts`, async () => {
      const page = await stage.visit(path)
      const sizes = await sizesOf(page, /\.js$/)
      const bytes = sumOf(Object.values(sizes))
      assert.ok(bytes > 50_000 && bytes <= SCRIPTS_MAX, `${bytes} bytes: ${JSON.stringify(sizes)}`)
      await page.context().close()
    })
  }

  test("a video's player loads when the visitor starts the video", {
    skip: NO_FFMPEG,
  }, async () => {
    const page = await stage.visit(String(pages['a video']))
    const player = page.getByRole('region', { name: 'Player: A river' })
    await player.getByRole('button', { name: 'Play' }).press('Enter')
    await player.getByRole('button', { name: 'Settings' }).waitFor()
    const video = player.locator('video')
    await until(
      () => video.evaluate(({ currentTime }: HTMLVideoElement) => currentTime > 0),
      'the video to play',
    )
  })

  test('a video begins with the picture that the head preloads', { skip: NO_FFMPEG }, async () => {
    const page = await stage.visit(String(pages['a video']))
    const sourcesOf = (element: Locator) =>
      element.evaluate((source: HTMLLinkElement | HTMLImageElement) =>
        source instanceof HTMLImageElement
          ? [source.getAttribute('src'), source.srcset, source.srcset && source.sizes]
          : [source.getAttribute('href'), source.imageSrcset, source.imageSizes],
      )
    const preloaded = await sourcesOf(page.locator('link[rel=preload][as=image]'))
    const cover = page.getByRole('region', { name: 'Player: A river' }).locator('img')
    assert.deepEqual(await sourcesOf(cover), preloaded)
  })

  test('the home page comes with at most 110 kB of scripts and styles, and at most 120 kB with gzip', async () => {
    const page = await stage.visit('/')
    const sizes = await sizesOf(page, /\.(?:js|css)$/)
    const bytes = sumOf(Object.values(sizes))
    assert.ok(Object.keys(sizes).length >= 3, 'scripts and styles should be loaded')
    assert.ok(bytes > 50_000 && bytes <= MOST.br, `${bytes} bytes`)
    const gzipped = await Promise.all(
      Object.keys(sizes).map(async (name) => {
        const { headers } = await fetch(name, { headers: { 'accept-encoding': 'gzip' } })
        return Number(headers.get('content-length'))
      }),
    )
    const sum = sumOf(gzipped)
    assert.ok(sum > 50_000 && sum <= MOST.gzip, `${sum} bytes`)
  })

  test('the built files have no circular imports', async () => {
    const folder = join((await buildClient()).folder, 'assets')
    const names = (await readdir(folder)).filter((name) => name.endsWith('.js'))
    const needs = new Map(
      await Promise.all(
        names.map(async (name) => {
          const text = await readFile(join(folder, name), 'utf8')
          const needed = text.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)
          return [name, [...needed].map(([, imported]) => String(imported))] as const
        }),
      ),
    )
    assert.ok(
      [...needs.values()].flat().length > names.length,
      'the files should import each other',
    )
    for (const name of names) {
      const reachable = new Set(needs.get(name))
      for (const imported of reachable)
        for (const next of needs.get(imported) ?? []) reachable.add(next)
      assert.ok(!reachable.has(name), `${name} imports itself`)
    }
  })
})

/** Returns the compressed bytes of the files that a page has loaded, by URL. Includes cached files. */
async function sizesOf(page: Page, kind: RegExp): Promise<Record<string, number>> {
  await page.locator('main a').first().waitFor()
  await page.waitForLoadState('networkidle')
  const sizes = await page.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return entries.map(({ name, encodedBodySize }) => [name, encodedBodySize] as const)
  })
  return Object.fromEntries(sizes.filter(([name]) => kind.test(new URL(name).pathname)))
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function publishVideo(member: Member): Promise<string> {
  const picture = new Uint8Array(await drawing(320, 180).png().toBuffer())
  const thumbnail = await member.plaza.upload(new File([picture], 'river.png'))
  const over = { type: 'video', thumbnail_upload_id: thumbnail.id } as const
  return (await publishFiles(member, 'A river', [bytesOf(makeVideo())], over)).id
}
