import { isPage } from './media-types.ts'

/**
 * Returns the page that starts a game unless the author names one, undefined when there is no page. Picks an
 * index page at the top, else the only page at the top, else the index page nearest to the top, else the
 * nearest page. The top is the innermost folder that contains all files.
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

/** Orders paths nearest to the top first, then by name. */
function byDepth(a: string, b: string): number {
  return a.split('/').length - b.split('/').length || (a < b ? -1 : 1)
}

/** Returns the innermost folder that contains all paths, with its `/`, or an empty string for the root. */
function innermostFolder(paths: readonly string[]): string {
  let common = paths[0]?.slice(0, paths[0].lastIndexOf('/') + 1) ?? ''
  for (const path of paths) {
    while (!path.startsWith(common)) {
      common = common.slice(0, common.lastIndexOf('/', common.length - 2) + 1)
    }
  }
  return common
}
