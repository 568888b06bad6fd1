import { isPage } from './media-types.ts'

/**
 * The page that starts a game, unless its author names another: an index page at the top; else the
 * only page there; else the index page nearest to the top; else the page nearest to it. The top is
 * the innermost folder that holds everything. Undefined where there is no page.
 */
export function findEntry(paths: readonly string[]): string | undefined {
  const pages = paths.filter(isPage).sort(byDepth)
  const top = innermostFolder(paths)
  const atTop = pages.filter((path) => !path.slice(top.length).includes('/'))
  const index = pages.find(isIndex)
  if (index !== undefined && atTop.includes(index)) return index
  return atTop.length === 1 ? atTop[0] : (index ?? pages[0])
}

function isIndex(path: string): boolean {
  return /(^|\/)index\.html?$/i.test(path)
}

/** Nearest to the top first; the order among equals is always the same. */
function byDepth(a: string, b: string): number {
  return a.split('/').length - b.split('/').length || (a < b ? -1 : 1)
}

/** The folder that every path is below, with its `/`; empty for the root. */
function innermostFolder(paths: readonly string[]): string {
  let common = paths[0]?.slice(0, paths[0].lastIndexOf('/') + 1) ?? ''
  for (const path of paths) {
    while (!path.startsWith(common)) {
      common = common.slice(0, common.lastIndexOf('/', common.length - 2) + 1)
    }
  }
  return common
}
