import { storeBundle } from '../bundles/rules.ts'
import type { Handle } from '../db/handle.ts'
import type { FileRow } from '../db/media-tables.ts'
import type { Store, TakeBack } from '../storage/store.ts'
import { listOrphans } from './orphans.ts'
import type { PreparedFile } from './prepare.ts'

export interface Put {
  path: string
  takeBack: TakeBack
}

/**
 * Stores a file and its derived files, and returns each path with its `takeBack` function. Stores the derived files
 * first, so the store never has a file without its derived files. If storing fails, removes the files already stored.
 * Errors: StorageFull, StorageUnavailable.
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
 * Removes stored files, except those that a row refers to or another upload has stored too. Never rejects. The sweep
 * later removes files that this function could not remove.
 */
export async function takeBack(db: Handle, puts: readonly Put[]): Promise<void> {
  try {
    const orphans = new Set(
      await listOrphans(
        db,
        puts.map(({ path }) => path),
      ),
    )
    // Removes the file itself before its derived files, because the presence of the file means that its
    // derived files are stored.
    for (const put of puts.toReversed()) if (orphans.has(put.path)) await put.takeBack()
  } catch {
    // Ignores errors of the removal, because the caller reports the original error.
  }
}
