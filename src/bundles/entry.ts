import { isPage } from './media-types.ts'

/**
 * Returns the page that starts the game unless the author chooses another one. Returns undefined when there is no
 * page. The top folder is the innermost folder that contains all files. The first match wins:
 *
 * - an index page in the top folder
 * - the only page in the top folder
 * - the least deeply nested index page
 * - the least deeply nested page
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

function byDepth(a: string, b: string): number {
  return a.split('/').length - b.split('/').length || (a < b ? -1 : 1)
}

function innermostFolder(paths: readonly string[]): string {
  let common = paths[0]?.slice(0, paths[0].lastIndexOf('/') + 1) ?? ''
  for (const path of paths) {
    while (!path.startsWith(common)) {
      common = common.slice(0, common.lastIndexOf('/', common.length - 2) + 1)
    }
  }
  return common
}
