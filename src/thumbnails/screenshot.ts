import { sniff } from '../uploads/sniff.ts'
import { readDetail } from './detail.ts'
import type { DevTools } from './devtools.ts'

/** Milliseconds for the page of a game to load. */
const LOAD_MS = 15_000
/** When pictures are taken, in milliseconds after that: games begin with a title, or a bar that fills up. */
const MOMENTS_MS = [2000, 5000]
/** Further ones, while there is nothing to be seen. */
const LATE_MS = [9000, 15_000]

/** False for the answer that there is no such game any more, which browsers show like a page. */
const IS_PLAYING = "document.contentType === 'text/html'"

interface View {
  url: string
  width: number
  height: number
}

/** Lets a game run, and takes the picture that shows most; undefined where all are of one colour. */
export async function takePicture(
  tools: DevTools,
  { url, width, height }: View,
): Promise<Buffer | undefined> {
  await tools.openPage()
  await tools.send('Page.enable')
  await tools.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    deviceScaleFactor: 1,
    mobile: false,
  })
  await Promise.all([
    Promise.race([tools.next('Page.loadEventFired'), tools.pause(LOAD_MS)]),
    tools.send('Page.navigate', { url }),
  ])
  const { result } = await tools.send('Runtime.evaluate', { expression: IS_PLAYING })
  if ((result as { value?: unknown }).value !== true) return undefined
  const start = performance.now()
  let best: { picture: Buffer; detail: number } | undefined
  for (const moment of [...MOMENTS_MS, ...LATE_MS]) {
    if (best && LATE_MS.includes(moment)) break
    await tools.pause(Math.max(0, start + moment - performance.now()))
    const { data } = await tools.send('Page.captureScreenshot', { format: 'png' })
    const picture = Buffer.from(data as string, 'base64')
    // A game may have made the browser its own, and have it send what keeps the library busy.
    if (sniff(picture) !== 'image/png') throw new Error('the browser took no picture')
    const detail = await readDetail(picture)
    if (detail > (best?.detail ?? 0)) best = { picture, detail }
  }
  return best?.picture
}
