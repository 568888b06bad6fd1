import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compress } from '../http/encoding.ts'
import type { Language } from '../messages/language.ts'
import { type ClientFile, type ClientFiles, readFiles } from './files.ts'
import { pathMatcher } from './paths.ts'
import { scriptHashes } from './policy.ts'

export interface Client {
  /** The HTML page for all page paths. */
  page: ClientFile
  files: ClientFiles
  hasPath(path: string): boolean
  /** Hashes of inline scripts for the content security policy. */
  scripts: readonly string[]
}

/**
 * Reads a built web client. `pathsFile` is a JSON file with the patterns of page paths. Errors: an Error when
 * index.html is missing.
 */
export async function readClient(
  folder: string,
  pathsFile: string,
  language: Language = 'ko',
): Promise<Client> {
  const [entries, paths] = await Promise.all([readFiles(folder), readFile(pathsFile, 'utf8')])
  const { '/index.html': page, ...others } = Object.fromEntries(entries)
  if (!page) throw new Error(`missing index.html in ${folder}`)
  return {
    page: await inLanguage(page, language),
    files: new Map(Object.entries(others)),
    hasPath: pathMatcher(JSON.parse(paths)),
    scripts: scriptHashes(page.bytes.toString()),
  }
}

/** Sets the page's language for browsers that accept no supported language. The built page is in Korean. */
async function inLanguage(page: ClientFile, language: Language): Promise<ClientFile> {
  if (language === 'ko') return page
  const text = page.bytes.toString().replace('<html lang="ko">', `<html lang="${language}">`)
  const [br, gz] = await Promise.all([compress(text, 'br', true), compress(text, 'gzip', true)])
  const digest = hash('sha256', text, 'base64url')
  return { ...page, hash: digest, bytes: Buffer.from(text), coded: { br, gzip: gz } }
}

export function pathsFileOf(root: string): string {
  return join(root, 'web/src/paths.json')
}
