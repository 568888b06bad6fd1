/** A built client as it is served. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compress } from '../http/encoding.ts'
import type { Language } from '../messages/language.ts'
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
export async function readClient(
  folder: string,
  pathsFile: string,
  language: Language = 'ko',
): Promise<Client> {
  const [all, paths] = await Promise.all([readFiles(folder), readFile(pathsFile, 'utf8')])
  const { '/index.html': page, ...others } = Object.fromEntries(all)
  if (!page) throw new Error(`there is no index.html in ${folder}`)
  return {
    page: await inLanguage(page, language),
    files: new Map(Object.entries(others)),
    hasPath: pathMatcher(JSON.parse(paths)),
    scripts: scriptHashes(page.bytes.toString()),
  }
}

/** The page for browsers that name no known language; it is built in Korean. */
async function inLanguage(page: ClientFile, language: Language): Promise<ClientFile> {
  if (language === 'ko') return page
  const text = page.bytes.toString().replace('<html lang="ko">', `<html lang="${language}">`)
  const [br, gz] = await Promise.all([compress(text, 'br', true), compress(text, 'gzip', true)])
  const digest = hash('sha256', text, 'base64url')
  return { ...page, hash: digest, bytes: Buffer.from(text), coded: { br, gzip: gz } }
}

/** Where the project that is at `root` lists the addresses of its client. */
export function pathsFileOf(root: string): string {
  return join(root, 'web/src/paths.json')
}
