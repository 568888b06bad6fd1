import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { buildClient } from '../../src/web/build.ts'
import { withoutChromium } from '../../test/chromium.ts'
import { publishArticle, setStage } from './stage.ts'

/** Maximum bytes of a page's scripts and styles, compressed for the browser, which requests Brotli. */
const MOST = 150_000
/** Maximum bytes of the same files for clients that accept only gzip, which compresses worse. */
const MOST_GZIPPED = 160_000

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  await publishArticle(mina, 'One')

  test('the first page comes with at most 150 kB of scripts and styles, and at most 160 kB with gzip', async () => {
    const page = await stage.visit('/')
    await page.getByRole('link', { name: 'One' }).waitFor()
    await page.waitForLoadState('networkidle')
    // Counts each file once, whether the browser loaded it from the network or the cache.
    const sizes = await page.evaluate(() => {
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const files = entries.filter(({ name }) => /\.(?:js|css)$/.test(new URL(name).pathname))
      return Object.fromEntries(files.map(({ name, encodedBodySize }) => [name, encodedBodySize]))
    })
    const bytes = Object.values(sizes).reduce((sum, size) => sum + size, 0)
    assert.ok(Object.keys(sizes).length >= 3, 'scripts and styles should be loaded')
    assert.ok(bytes > 50_000 && bytes <= MOST, `${bytes} bytes`)
    const gzipped = await Promise.all(
      Object.keys(sizes).map(async (name) => {
        const { headers } = await fetch(name, { headers: { 'accept-encoding': 'gzip' } })
        return Number(headers.get('content-length'))
      }),
    )
    const sum = gzipped.reduce((total, size) => total + size, 0)
    assert.ok(sum > 50_000 && sum <= MOST_GZIPPED, `${sum} bytes`)
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
