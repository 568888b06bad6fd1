/** Deletes staged files of crashed processes, unused uploads older than a day, and stored files without a row. */
import type { Logger } from 'pino'
import type { Db, Handle } from '../db/handle.ts'
import type { Staging } from '../storage/staging.ts'
import type { Store } from '../storage/store.ts'
import { listUnused, removeUnused } from '../uploads/unused.ts'
import { listOrphans, SERVER_PATH } from '../uploads/orphans.ts'
import { listPaths, removeFiles } from '../uploads/removed.ts'
import { findBirth } from './queries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MINUTE_MS = 60_000
const BATCH = 200
/** The sweep stops searching once it has found this many files to delete. The next sweep finds the rest. */
const REMOVED_MAX = 10_000
const SUSPICIOUS = 100

interface Options {
  store: Store
  staging: Staging
  log: Logger
  /** True when another process sweeps the store. Staged files are local, so each machine sweeps its own. */
  leavesStore?: boolean
}

export class Sweep {
  readonly #store: Store
  readonly #staging: Staging
  readonly #log: Logger
  readonly #leavesStore: boolean
  #stagedDueAt = 0
  #storedDueAt: number | undefined
  #unusedDueAt: number | undefined
  #isClosed = false
  #running: Promise<void> | undefined

  constructor({ store, staging, log, leavesStore = false }: Options) {
    this.#store = store
    this.#staging = staging
    this.#log = log
    this.#leavesStore = leavesStore
  }

  /**
   * Runs the sweeps that are due. Call it at the start and every minute. Times of the sweeps:
   * - staged files: at once, then every hour;
   * - unused uploads: after a minute, then every hour;
   * - stored files: after an hour, then every day.
   */
  async run(db: Db, now: number): Promise<void> {
    if (this.#isClosed || this.#running) return
    this.#running = this.#runDue(db, now).finally(() => (this.#running = undefined))
    await this.#running
  }

  async #runDue(db: Db, now: number): Promise<void> {
    if (now >= this.#stagedDueAt) {
      this.#stagedDueAt = now + HOUR_MS
      await this.#staging.removeOld(now - HOUR_MS)
    }
    if (this.#leavesStore) return
    // Waits a minute after the start, so that the server detects a wrong clock first.
    this.#unusedDueAt ??= now + MINUTE_MS
    if (now >= this.#unusedDueAt || this.#unusedDueAt > now + HOUR_MS) {
      this.#unusedDueAt = now + HOUR_MS
      await this.#removeUnused(db, now - DAY_MS)
    }
    this.#storedDueAt ??= now + HOUR_MS
    if (now >= this.#storedDueAt) {
      // Schedules a retry in an hour, in case this attempt fails.
      this.#storedDueAt = now + HOUR_MS
      await this.#sweepStore(db, now - DAY_MS)
      this.#storedDueAt = now + DAY_MS
    }
  }

  async #removeUnused(db: Db, before: number): Promise<void> {
    let removed = 0
    for await (const id of listUnused(db, before)) {
      if (this.#isClosed) break
      const file = await removeUnused(db, id)
      if (!file) continue
      removed++
      await this.#remove(db, await listPaths(this.#store, file), before)
    }
    if (removed > 0) this.#log.info({ files: removed }, 'removed unused uploads')
    // Removes files that other processes recorded for removal before they died.
    await removeFiles(db, this.#store)
  }

  /**
   * Deletes files without a row that were stored after the creation of the database and before `before` (epoch
   * milliseconds). Deletes nothing when files without a row are the majority and more than SUSPICIOUS.
   */
  async #sweepStore(db: Db, before: number): Promise<void> {
    // Skips files older than the database, because they may belong to another database.
    const birth = await findBirth(db)
    const orphans: string[] = []
    let seen = 0
    let batch: string[] = []
    const look = async () => {
      seen += batch.length
      orphans.push(...(await listOrphans(db, batch)))
      batch = []
    }
    for await (const { path, modifiedAt } of this.#store.list('')) {
      if (this.#isClosed || orphans.length >= REMOVED_MAX) break
      if (modifiedAt >= before || modifiedAt < birth || !SERVER_PATH.test(path)) continue
      batch.push(path)
      if (batch.length === BATCH) await look()
    }
    await look()
    if (orphans.length > SUSPICIOUS && orphans.length > seen / 2) {
      this.#log.warn(
        { files: seen, unknown: orphans.length },
        'most stored files are unknown to this database: nothing removed; check whether another database uses this storage',
      )
      return
    }
    const removed = await this.#remove(db, orphans, before)
    if (removed > 0) this.#log.info({ files: removed }, 'removed stored files without a row')
  }

  /**
   * Deletes files that still have no row and were stored before `before`. Returns the number of deleted files.
   * An upload of the same bytes renews a file's modification time, so the file is kept.
   */
  async #remove(db: Handle, orphans: string[], before: number): Promise<number> {
    let removed = 0
    for (let start = 0; start < orphans.length; start += BATCH) {
      for (const path of await listOrphans(db, orphans.slice(start, start + BATCH))) {
        if (this.#isClosed) return removed
        if (await this.#store.removeOlder(path, before)) removed++
      }
    }
    return removed
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running?.catch(() => {})
  }
}
