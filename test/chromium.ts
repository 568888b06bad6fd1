import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after } from 'node:test'
import { type Browser, chromium } from 'playwright-core'

export const CHROMIUM = find('chromium', 'chromium-browser', 'google-chrome')
/** Path of the Chromium without a user interface, which uses a third less CPU time. Undefined if it is not installed. */
const HEADLESS_SHELL = find('chromium-headless-shell')

export const withoutChromium = CHROMIUM ? false : 'there is no Chromium on this machine'

export async function openBrowser(args: string[] = []): Promise<Browser> {
  const executablePath = HEADLESS_SHELL ?? CHROMIUM
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      // On machines without a GPU, this option saves a third of the CPU time. The rendered image does not change.
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
