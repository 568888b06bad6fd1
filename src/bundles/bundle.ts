/** What an uploaded game file turns out to be, before any of it is stored. */
import type { Runtime } from '../db/media-tables.ts'
import type { Problem } from '../errors.ts'

export type BundleKind = 'zip' | 'wasm' | 'swf'

export interface BundleFile {
  /**
   * Relative and in NFC, with `/` between its parts; no part is empty or begins with a dot. Of the
   * file's own words, so that it never names anything on a disk: the position does.
   */
  path: string
  /** As sent in `Content-Type`. */
  mimeType: string
  sizeBytes: number
  /** Where its bytes are until they are stored. */
  localFile: string
}

/** A path that is not found on the games origin, and the file that names it. */
export interface BundleWarning {
  code: 'absolute_path'
  path: string
  file: string
}

export interface Bundle {
  runtime: Runtime
  /** Path of the page that starts an HTML5 game; null for other runtimes. */
  entry: string | null
  facts: Record<string, number | string | null>
  warnings: BundleWarning[]
  /** In the order of their positions, which begin with 0. */
  files: BundleFile[]
}

/** The file breaks a rule of bundles: 422 on the field it came in. */
export class BundleRefused extends Error {
  override name = 'BundleRefused'
  readonly key: Extract<Problem['key'], `invalid.bundle_${string}` | 'invalid.too_many'>
  readonly params: Record<string, string | number>

  constructor(key: BundleRefused['key'], params: BundleRefused['params'] = {}) {
    super(`${key} ${JSON.stringify(params)}`)
    this.key = key
    this.params = params
  }
}

/** A stranger's name as it may stand in a message: short, and of characters that can be seen. */
export function shown(name: string): string {
  const visible = name
    .slice(0, 200)
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')
  const characters = Array.from(visible)
  return characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : visible
}
