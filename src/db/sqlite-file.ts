import { accessSync, closeSync, constants, openSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { codeOf, SQLITE_BUSY } from './sqlite-errors.ts'

/** Maximum milliseconds to wait for another process's lock. */
export const LOCK_WAIT_MS = 10_000
/** Free disk space in bytes that SQLite needs to open a database. */
const FREE_BYTES_MIN = 65_536

/**
 * Opens a database for writing, and creates the file if it is missing. Blocks up to LOCK_WAIT_MS while the file
 * is locked. Errors: an Error with path and reason.
 */
export function openForWriting(file: string): DatabaseSync {
  const deadline = Date.now() + LOCK_WAIT_MS
  for (;;) {
    let db: DatabaseSync | undefined
    try {
      createPrivately(file)
      db = new DatabaseSync(file, { timeout: 20 })
      // Fails early: SQLite opens a file without write permission as read-only, and only the first write would fail.
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

/**
 * True when the disk has too little space for SQLite's shared memory file. SQLite then reports only "disk I/O error".
 */
function isDiskFull(file: string): boolean {
  const { blocks, bavail, bsize } = statfsSync(dirname(file))
  // Some file systems report a size of 0, which does not mean a full disk.
  return blocks > 0 && bavail * bsize < FREE_BYTES_MIN
}

/**
 * Creates an empty file with mode 600. Does not open an existing file, because closing it would release this
 * process's locks on it.
 */
function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
