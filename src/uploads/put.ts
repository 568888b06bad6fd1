/** Stores the files of an upload, and removes them when the upload fails. */
import { storeBundle } from '../bundles/rules.ts'
import type { Handle } from '../db/handle.ts'
import type { FileRow } from '../db/media-tables.ts'
import { listOrphans } from '../files/sweep.ts'
import type { Store, TakeBack } from '../storage/store.ts'
import type { PreparedFile } from './prepare.ts'

export interface Put {
  path: string
  takeBack: TakeBack
}

/**
 * Stores a file and the files derived from it. On an error it removes what it stored.
 *
 * The file itself comes last, so that a file in the store is always complete. Errors: StorageFull,
 * StorageUnavailable.
 */
export async function putFiles(
  db: Handle,
  store: Store,
  file: FileRow,
  { thumbnail, bundle, localFile }: PreparedFile,
): Promise<Put[]> {
  const puts: Put[] = []
  const put = async (path: string, source: string, mimeType: string) => {
    const undo = await store.put(path, source, mimeType)
    puts.push({ path, takeBack: undo })
    return undo
  }
  try {
    if (bundle) await storeBundle({ put }, file.sha256, bundle)
    if (file.thumbnail_path !== null && thumbnail) {
      await put(file.thumbnail_path, thumbnail.localFile, 'image/webp')
    }
    await put(file.path, localFile, file.mime_type)
    return puts
  } catch (error) {
    await takeBack(db, puts)
    throw error
  }
}

/**
 * Removes stored files that no row refers to, and keeps those that another upload stored too. Never rejects:
 * the sweep removes what this cannot.
 */
export async function takeBack(db: Handle, puts: readonly Put[]): Promise<void> {
  try {
    const orphans = new Set(
      await listOrphans(
        db,
        puts.map(({ path }) => path),
      ),
    )
    // Removes the file itself first.
    for (const put of puts.toReversed()) if (orphans.has(put.path)) await put.takeBack()
  } catch {
    // The caller reports the original error.
  }
}
