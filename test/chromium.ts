/** A real browser, where the machine has one. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after } from 'node:test'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** Where the browser is; undefined where there is none. */
export const CHROMIUM = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** For the `skip` of tests that need it. */
export const withoutChromium = CHROMIUM ? false : 'there is no Chromium on this machine'

/** A browser until the tests of this file are over. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    ...(CHROMIUM && { executablePath: CHROMIUM }),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      // Without a graphics card its stand-in costs a third more, and shows the same.
      '--disable-gpu',
    ],
  })
  after(() => browser.close())
  return browser
}
