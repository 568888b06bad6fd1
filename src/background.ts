import { handleConversions } from './conversion/handler.ts'
import type { Deps } from './deps.ts'
import { findBrowser } from './thumbnails/browser.ts'
import { handleThumbnails } from './thumbnails/handler.ts'

/** Starts the job worker and the webhook deliveries. Closing the dependencies stops both. */
export function startBackground(deps: Deps): void {
  const { config, log, worker, deliveries } = deps
  handleConversions(deps)
  handleThumbnails(deps, findBrowser(config.chromium, { searchPath: config.searchPath, log }))
  worker.start()
  deliveries.start()
}
