import type { Handle, Tx } from '../db/handle.ts'
import type { Store } from '../storage/store.ts'
import type { Bundle, BundleWarning } from './bundle.ts'
import { findBundle, insertBundleRow, insertFileRows, listPages } from './queries.ts'

const WRITERS = 8

const PAGES_MAX = 100

/** Returns the store's path of file number `position` in a bundle. `sha256` is the hash of the uploaded file. */
export function bundlePath(sha256: string, position: number): string {
  return `bundles/${sha256}/${position}`
}

/**
 * Copies the files of a bundle into the store. Can be repeated for the same bundle. Errors: StorageFull,
 * StorageUnavailable.
 */
export async function storeBundle(
  store: Pick<Store, 'put'>,
  sha256: string,
  bundle: Bundle,
): Promise<void> {
  const waiting = bundle.files.entries()
  async function putNext(): Promise<void> {
    for (const [position, { localFile, mimeType }] of waiting) {
      await store.put(bundlePath(sha256, position), localFile, mimeType)
    }
  }
  const writers = await Promise.allSettled(Array.from({ length: WRITERS }, putNext))
  const failed = writers.find((writer) => writer.status === 'rejected')
  if (failed) throw failed.reason
}

/** Inserts the rows of a bundle whose files are in the store. Does nothing when the bundle already exists. */
export async function insertBundle(tx: Tx, sha256: string, bundle: Bundle): Promise<void> {
  const { runtime, entry, facts, warnings, files } = bundle
  const row = {
    file_sha256: sha256,
    runtime,
    entry,
    facts: JSON.stringify(warnings.length > 0 ? { ...facts, warnings } : facts),
  }
  if (!(await insertBundleRow(tx, row))) return
  const rows = files.map(({ path, mimeType, sizeBytes }, position) => ({
    path,
    position,
    mime_type: mimeType,
    size_bytes: sizeBytes,
  }))
  await insertFileRows(tx, sha256, rows)
}

/**
 * Returns the bundle of a file, or null when the file is not a bundle. Only HTML5 games have `pages`, at most
 * PAGES_MAX.
 */
export async function readBundle(db: Handle, sha256: string) {
  const bundle = await findBundle(db, sha256)
  if (!bundle) return null
  const { runtime, entry } = bundle
  const { warnings = [] } = JSON.parse(bundle.facts) as { warnings?: BundleWarning[] }
  const pages = runtime === 'html5' ? await listPages(db, sha256, PAGES_MAX) : []
  return { runtime, entry, pages, warnings }
}
