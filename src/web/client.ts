/** A built client as it is served. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ClientFile, type ClientFiles, readFiles } from './files.ts'
import { pathMatcher } from './paths.ts'
import { scriptHashes } from './policy.ts'

export interface Client {
  /** The page that every address of the client is answered with. */
  page: ClientFile
  /** All others. */
  files: ClientFiles
  /** Whether a path is an address of the client. */
  hasPath(path: string): boolean
  /** What a policy names the page's inline scripts by. */
  scripts: readonly string[]
}

/** Reads the client that was built into a folder; `pathsFile` lists the patterns of its addresses. */
export async function readClient(folder: string, pathsFile: string): Promise<Client> {
  const [all, paths] = await Promise.all([readFiles(folder), readFile(pathsFile, 'utf8')])
  const { '/index.html': page, ...others } = Object.fromEntries(all)
  if (!page) throw new Error(`there is no index.html in ${folder}`)
  return {
    page,
    files: new Map(Object.entries(others)),
    hasPath: pathMatcher(JSON.parse(paths)),
    scripts: scriptHashes(page.bytes.toString()),
  }
}

/** Where the project that is at `root` lists the addresses of its client. */
export function pathsFileOf(root: string): string {
  return join(root, 'web/src/paths.json')
}
