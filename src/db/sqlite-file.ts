/** The file of the embedded database: made for its owner alone, and opened for writing. */
import { accessSync, closeSync, constants, openSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { codeOf, SQLITE_BUSY } from './sqlite-errors.ts'

/** How long a write waits for another process that writes to the same file. */
export const LOCK_WAIT_MS = 10_000
/** Bytes that an opened database needs beside its own file. */
const ROOM_TO_OPEN = 65_536

/** Waits while another process that starts turns the same new file into a database. */
export function openForWriting(file: string): DatabaseSync {
  const deadline = Date.now() + LOCK_WAIT_MS
  for (;;) {
    let db: DatabaseSync | undefined
    try {
      createPrivately(file)
      db = new DatabaseSync(file, { timeout: 20 })
      // SQLite opens what it may not write for reading, and says so at the first write.
      accessSync(file, constants.W_OK)
      db.exec(
        'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory; pragma cache_size = -65536',
      )
      return db
    } catch (error) {
      db?.close()
      if (codeOf(error) !== SQLITE_BUSY || Date.now() > deadline) {
        const reason = isDiskFull(file) ? 'the disk is full' : (error as Error).message
        throw new Error(`${file}: ${reason}`, { cause: error })
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 + Math.random() * 20)
    }
  }
}

/** SQLite reports a full disk as "disk I/O error" when it cannot make its shared memory file. */
function isDiskFull(file: string): boolean {
  const { blocks, bavail, bsize } = statfsSync(dirname(file))
  // Some file systems do not know their size.
  return blocks > 0 && bavail * bsize < ROOM_TO_OPEN
}

/**
 * A file that its owner alone may read, also in a folder that others may; the log beside it gets the same
 * from SQLite. One that is there is not opened: to close it again would give up this process's locks on it.
 */
function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
