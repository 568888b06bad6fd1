import { open } from 'node:fs/promises'
import { type BundleFile, type BundleWarning, shown } from './bundle.ts'
import { isPage, mediaTypeOf } from './media-types.ts'

const WARNINGS_MAX = 20
const FILE_BYTES = 1024 * 1024
const TOTAL_BYTES = 8 * FILE_BYTES

/**
 * ATTRIBUTE matches `src="/game.js"` and `href=/style.css`, STYLE_URL matches `url(/a.png)`. Neither matches
 * `//host` or a lone `/`.
 */
const ATTRIBUTE = /\b(?:src|href|poster|data)\s*=\s*["']?(\/[^\s"'<>/][^\s"'<>]*)/gi
const STYLE_URL = /url\(\s*["']?(\/[^\s"')/][^\s"')]*)/gi
/** Matches texts such as `'/assets/a.json'`. Only paths of files in the bundle are reported. */
const QUOTED = /(["'`])(\/[\w@%.~+-][\w@%.~+/-]{0,300})\1/g

/**
 * Returns up to WARNINGS_MAX absolute paths from pages, then styles, then scripts, each once. Such paths fail,
 * because each game is served below a path of the games origin. Reads at most FILE_BYTES of a file and TOTAL_BYTES in
 * total.
 */
export async function findWarnings(files: readonly BundleFile[]): Promise<BundleWarning[]> {
  // The game's root is the archive's root or its only top folder, so paths are compared with both.
  const rooted = new Set(files.flatMap(({ path }) => [path, path.slice(path.indexOf('/') + 1)]))
  const found = new Map<string, BundleWarning>()
  let left = TOTAL_BYTES
  for (const { path: file, localFile } of byKind(files)) {
    if (found.size >= WARNINGS_MAX || left <= 0) break
    const text = await readStart(localFile, Math.min(FILE_BYTES, left))
    left -= text.length
    for (const target of absolutePathsIn(text, file, rooted)) {
      if (found.size >= WARNINGS_MAX) break
      const path = shown(target)
      if (!found.has(path)) found.set(path, { code: 'absolute_path', path, file })
    }
  }
  return [...found.values()]
}

function byKind(files: readonly BundleFile[]): BundleFile[] {
  const pages = files.filter(({ path }) => isPage(path))
  const styles = files.filter(({ path }) => mediaTypeOf(path) === 'text/css')
  const scripts = files.filter(({ path }) => mediaTypeOf(path) === 'text/javascript')
  return [...pages, ...styles, ...scripts]
}

function absolutePathsIn(text: string, file: string, rooted: ReadonlySet<string>): string[] {
  const matchesOf = (pattern: RegExp, group: number) =>
    [...text.matchAll(pattern)].map((match) => match[group] as string)
  const attributes = isPage(file) ? matchesOf(ATTRIBUTE, 1) : []
  const styles = mediaTypeOf(file) === 'text/javascript' ? [] : matchesOf(STYLE_URL, 1)
  const quoted = matchesOf(QUOTED, 2).filter((target) => rooted.has(target.slice(1)))
  return [...attributes, ...styles, ...quoted]
}

async function readStart(localFile: string, length: number): Promise<string> {
  const handle = await open(localFile)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
