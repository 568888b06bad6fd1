/** The way of an upload's files into the store, and out of it again where they come to nothing. */
import { storeBundle } from '../bundles/rules.ts'
import type { Handle } from '../db/handle.ts'
import type { FileRow } from '../db/media-tables.ts'
import { listOrphans } from '../files/sweep.ts'
import type { Store, TakeBack } from '../storage/store.ts'
import type { PreparedFile } from './prepare.ts'

/** A file that was put. */
export interface Put {
  path: string
  takeBack: TakeBack
}

/**
 * Puts a file with all that belongs to it, or takes back what it put. The file itself comes last, so
 * that what is there has all that belongs to it. Errors: StorageFull, StorageUnavailable.
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
 * Takes back what no row refers to, and leaves what another upload put too; where that fails, it is
 * left to the sweep.
 */
export async function takeBack(db: Handle, puts: readonly Put[]): Promise<void> {
  try {
    const orphans = new Set(
      await listOrphans(
        db,
        puts.map(({ path }) => path),
      ),
    )
    // The file itself goes first.
    for (const put of puts.toReversed()) if (orphans.has(put.path)) await put.takeBack()
  } catch {
    // The error that is told is the one because of which it is taken back.
  }
}
