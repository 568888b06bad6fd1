/** What a process does that nobody waits for. */
import { handleConversions } from './conversion/handler.ts'
import type { Deps } from './deps.ts'
import { findBrowser } from './thumbnails/browser.ts'
import { handleThumbnails } from './thumbnails/handler.ts'

/** Begins to take jobs and to deliver events; it ends with what `openDeps` opened. */
export function startBackground(deps: Deps): void {
  const { config, log, worker, deliveries } = deps
  handleConversions(deps)
  handleThumbnails(deps, findBrowser(config.chromium, { searchPath: config.searchPath, log }))
  worker.start()
  deliveries.start()
}
