/** A real browser, where the machine has one. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after } from 'node:test'
import { type Browser, chromium } from 'playwright-core'

/** Where the browser is; undefined where there is none. */
export const CHROMIUM = find('chromium', 'chromium-browser', 'google-chrome')
/** The same without windows, toolbars and all that is around a page: a third less to compute. */
const HEADLESS_SHELL = find('chromium-headless-shell')

/** For the `skip` of tests that need it. */
export const withoutChromium = CHROMIUM ? false : 'there is no Chromium on this machine'

/** A browser until the tests of this file are over, with further arguments. */
export async function openBrowser(args: string[] = []): Promise<Browser> {
  const executablePath = HEADLESS_SHELL ?? CHROMIUM
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      // Without a graphics card its stand-in costs a third more, and shows the same.
      '--disable-gpu',
      ...args,
    ],
  })
  after(() => browser.close())
  return browser
}

function find(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
