import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ClientFile, type ClientFiles, readFiles } from './files.ts'
import { type PageMatch, pathMatcher } from './paths.ts'
import { scriptHashes } from './policy.ts'

export interface Client {
  /** The HTML page for all page paths. */
  page: { html: string; hash: string }
  files: ClientFiles
  findPage(path: string): PageMatch | undefined
  /**
   * Scripts and styles that a page needs besides those of every page, by path pattern, or by path pattern and content
   * type.
   */
  pageFiles: Readonly<Record<string, readonly string[]>>
  /** Hashes of inline scripts for the content security policy. */
  scripts: readonly string[]
}

/**
 * Reads a built web client. `pathsFile` is a JSON file with the patterns of page paths. Errors: an Error when
 * index.html is missing.
 */
export async function readClient(folder: string, pathsFile: string): Promise<Client> {
  const [entries, paths] = await Promise.all([readFiles(folder), readFile(pathsFile, 'utf8')])
  const { '/index.html': page, '/pages.json': pages, ...others } = Object.fromEntries(entries)
  if (!page) throw new Error(`missing index.html in ${folder}`)
  const html = textOf(page)
  return {
    page: { html, hash: page.hash },
    files: new Map(Object.entries(others)),
    findPage: pathMatcher(JSON.parse(paths)),
    pageFiles: pages ? JSON.parse(textOf(pages)) : {},
    scripts: scriptHashes(html),
  }
}

function textOf({ bytes }: ClientFile): string {
  return bytes.toString()
}

export function pathsFileOf(root: string): string {
  return join(root, 'web/src/paths.json')
}
