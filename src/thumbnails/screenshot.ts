import { readDetail } from '../pictures/thumbnail.ts'
import { sniff } from '../uploads/sniff.ts'
import type { DevTools } from './devtools.ts'

const LOAD_MS = 15_000
/**
 * Times of the screenshots, in milliseconds after the page has loaded. Games begin with a title or a progress bar,
 * so one screenshot is not enough.
 */
const MOMENTS_MS = [2000, 5000]
/** Times of further screenshots, in milliseconds after the page has loaded. Used while all earlier ones are blank. */
const LATE_MS = [9000, 15_000]

/** JavaScript expression that is false when the server returned an error instead of the game. */
const IS_PLAYING = "document.contentType === 'text/html'"

interface View {
  url: string
  width: number
  height: number
}

/**
 * Returns the screenshot with the most detail as a PNG. Returns undefined when all screenshots are blank, or
 * when the server returned an error.
 */
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
    // Accepts only PNG, because a malicious game that controls the browser could send a format that overloads
    // the picture library.
    if (sniff(picture) !== 'image/png') throw new Error('the browser did not return a PNG')
    const detail = await readDetail(picture)
    if (detail > (best?.detail ?? 0)) best = { picture, detail }
  }
  return best?.picture
}
