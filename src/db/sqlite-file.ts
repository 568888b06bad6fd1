/** Opens the embedded database file for writing, and creates it readable only for its owner. */
import { accessSync, closeSync, constants, openSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { codeOf, SQLITE_BUSY } from './sqlite-errors.ts'

/** Milliseconds that a write waits for another process to finish writing. */
export const LOCK_WAIT_MS = 10_000
/** Free bytes that opening a database requires. */
const ROOM_TO_OPEN = 65_536

/** Opens the file. Waits while another process creates the same database. */
export function openForWriting(file: string): DatabaseSync {
  const deadline = Date.now() + LOCK_WAIT_MS
  for (;;) {
    let db: DatabaseSync | undefined
    try {
      createPrivately(file)
      db = new DatabaseSync(file, { timeout: 20 })
      // SQLite opens a file without write permission as read-only and would fail only at the first
      // write.
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
 * True when the disk is full. SQLite reports that as "disk I/O error" if it cannot create its shared
 * memory file.
 */
function isDiskFull(file: string): boolean {
  const { blocks, bavail, bsize } = statfsSync(dirname(file))
  // Some file systems report no size.
  return blocks > 0 && bavail * bsize < ROOM_TO_OPEN
}

/**
 * Creates the file with permissions for its owner only; SQLite gives its log the same permissions. An
 * existing file is not opened, since closing it would release this process's locks on it.
 */
function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
