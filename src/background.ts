/** Starts the background work of a process: jobs and webhook deliveries. */
import { handleConversions } from './conversion/handler.ts'
import type { Deps } from './deps.ts'
import { findBrowser } from './thumbnails/browser.ts'
import { handleThumbnails } from './thumbnails/handler.ts'

/** Starts the job worker and webhook delivery. Both are closed together with what `openDeps` opened. */
export function startBackground(deps: Deps): void {
  const { config, log, worker, deliveries } = deps
  handleConversions(deps)
  handleThumbnails(deps, findBrowser(config.chromium, { searchPath: config.searchPath, log }))
  worker.start()
  deliveries.start()
}
