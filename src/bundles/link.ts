import { constants, copyFile, link } from 'node:fs/promises'
import { toStorageError } from '../storage/store.ts'

/**
 * Gives a file a second name, without another copy of its bytes where the file system can.
 * Errors: StorageFull.
 */
export async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch {
    await copyFile(from, to, constants.COPYFILE_EXCL).catch((error: unknown) => {
      throw toStorageError(error)
    })
  }
}
