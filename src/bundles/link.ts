import { constants, copyFile, link } from 'node:fs/promises'
import { toStorageError } from '../storage/store.ts'

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
