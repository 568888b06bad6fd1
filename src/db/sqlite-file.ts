/** Opens the file of the embedded database for writing, and creates it readable for its owner only. */
import { accessSync, closeSync, constants, openSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { codeOf, SQLITE_BUSY } from './sqlite-errors.ts'

/** Milliseconds that a write waits for another process that writes to the same file. */
export const LOCK_WAIT_MS = 10_000
/** Free bytes that opening a database needs. */
const ROOM_TO_OPEN = 65_536

/** Opens the file. Waits while another starting process creates the same database. */
export function openForWriting(file: string): DatabaseSync {
  const deadline = Date.now() + LOCK_WAIT_MS
  for (;;) {
    let db: DatabaseSync | undefined
    try {
      createPrivately(file)
      db = new DatabaseSync(file, { timeout: 20 })
      // SQLite opens a file without write permission for reading, and fails only at the first write.
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
 * Creates the file with permissions for its owner only; SQLite gives its log the same ones. An existing file is
 * not opened, since closing it would release this process's locks on it.
 */
function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
