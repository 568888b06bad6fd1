import { constants, copyFile, link } from 'node:fs/promises'
import type { Runtime } from '../db/media-tables.ts'
import type { Problem } from '../errors.ts'
import { toStorageError } from '../storage/store.ts'

export type BundleKind = 'zip' | 'wasm' | 'swf'

export interface BundleFile {
  /**
   * Relative path in NFC with `/` separators. No segment is empty or begins with a dot. Untrusted, so it is never used
   * as a path on disk.
   */
  path: string
  mimeType: string
  sizeBytes: number
  localFile: string
}

export interface BundleWarning {
  code: 'absolute_path'
  path: string
  file: string
}

export interface Bundle {
  runtime: Runtime
  entry: string | null
  facts: Record<string, number | string | null>
  warnings: BundleWarning[]
  files: BundleFile[]
}

/**
 * Receives the total size and number of an archive's files before they are unpacked. Can throw to cancel the
 * unpacking.
 */
export type OnUnpack = (unpacked: { bytes: number; files: number }) => void

/** Thrown when a game file breaks a rule for bundles. The API returns 422 on the upload's field. */
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

export function shown(name: string): string {
  const visible = name
    .slice(0, 200)
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')
  const characters = Array.from(visible)
  return characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : visible
}

/** Creates a hard link. If that fails, copies the file. Errors: StorageFull. */
export async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch {
    await copyFile(from, to, constants.COPYFILE_EXCL).catch((error: unknown) => {
      throw toStorageError(error)
    })
  }
}
