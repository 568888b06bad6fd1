/**
 * Compares the paint times of Plaza's home page with those of a bare Vite and React page. Measures both pages at full
 * speed and at the speed of a mid-range phone.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { build } from 'vite'
import { createPlaza } from '../../sdk/src/index.ts'
import { compressTexts } from '../../src/web/compress.ts'
import { readFiles } from '../../src/web/files.ts'
import { median } from '../../bench/report.ts'
import type { Harness } from '../harness/harness.ts'
import { alternate, startOn } from './compare.ts'
import { CHROMIUM } from '../../test/chromium.ts'

const ROUNDS = 7
const CONTENTS = 24

/** Throttling: a quarter of the CPU speed and 1.6 Mbit/s with 150 ms round-trip time. */
const PHONE = { cpu: 4, latency: 150, throughput: 200_000 }

interface Paint {
  /** Milliseconds from the start of the visit to the first contentful paint. */
  first: number
  /** Milliseconds from the start of the visit to the largest contentful paint. */
  largest: number
  /** Transferred bytes of scripts and styles. */
  bytes: number
}

export async function measureWeb(harness: Harness): Promise<void> {
  const plaza = await startOn(harness, { WEB: 'on' })
  const bare = await serveBare(join(harness.folder, 'bare'))
  harness.atEnd(() => bare.close())
  const browser = await chromium.launch({
    ...(CHROMIUM && { executablePath: CHROMIUM }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  harness.atEnd(() => browser.close())
  await publishContents(plaza.url)
  console.log('        first paint                 largest paint               scripts and styles')
  console.log('        bare     Plaza    ratio     bare     Plaza    ratio     bare     Plaza')
  for (const as of ['here', 'phone'] as const) {
    const open = (index: 0 | 1) =>
      visit(browser, [bare.url, plaza.url][index] as string, as === 'phone')
    await alternate(1, open)
    const pairs = await alternate(ROUNDS, open)
    const figures = [0, 1].map((index) => medians(pairs.map((pair) => pair[index] as Paint)))
    console.log(as.padEnd(8) + lineOf(...(figures as [Paint, Paint])))
  }
}

async function serveBare(outDir: string): Promise<{ url: string; close(): void }> {
  const root = join(import.meta.dirname, 'bare-page')
  await build({ root, configFile: false, logLevel: 'warn', build: { outDir } })
  await compressTexts(outDir)
  const files = await readFiles(outDir)
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '')
    const file = files.get(path)
    const coded = file?.coded.br
    response.writeHead(file ? 200 : 404, {
      'content-type': file?.type ?? 'text/plain',
      ...(coded && { 'content-encoding': 'br' }),
    })
    response.end(coded ?? file?.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

async function publishContents(url: string): Promise<void> {
  const plaza = createPlaza({ url })
  const captcha_token = await plaza.solveCaptcha()
  await plaza.register({
    handle: 'bench',
    email: 'bench@example.com',
    password: 'a long walk by the river',
    display_name: 'Bench',
    captcha_token,
  })
  for (let n = 1; n <= CONTENTS; n++) {
    const title = `Work ${n}`
    await plaza.contents.create({ category: 'hype', type: 'article', title, body: title })
  }
}

async function visit(browser: Browser, url: string, asPhone: boolean): Promise<Paint> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en' })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  if (asPhone) {
    const { cpu, latency, throughput } = PHONE
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu })
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    })
  }
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (/\.(?:js|css)$/.test(request.url())) {
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    }
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  const { first, largest } = await page.evaluate<
    Pick<Paint, 'first' | 'largest'>
  >(`new Promise((tell) => {
    new PerformanceObserver((list) => {
      const [paint] = performance.getEntriesByName('first-contentful-paint')
      tell({ first: paint.startTime, largest: list.getEntries().at(-1).startTime })
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })`)
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  await context.close()
  return { first, largest, bytes }
}

function medians(paints: readonly Paint[]): Paint {
  const medianOf = (pick: (paint: Paint) => number) => Math.round(median(paints.map(pick)))
  return {
    first: medianOf((p) => p.first),
    largest: medianOf((p) => p.largest),
    bytes: medianOf((p) => p.bytes),
  }
}

function lineOf(bare: Paint, plaza: Paint): string {
  const pair = (paint: 'first' | 'largest') => [
    `${bare[paint]} ms`.padEnd(9),
    `${plaza[paint]} ms`.padEnd(9),
    (plaza[paint] / bare[paint]).toFixed(2).padEnd(10),
  ]
  const bytes = [bare, plaza].map((page) => `${Math.round(page.bytes / 1000)} kB`.padEnd(9))
  return [...pair('first'), ...pair('largest'), ...bytes].join('')
}
