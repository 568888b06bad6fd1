/**
 * Removes staged files of processes that were killed, uploads that nothing uses after a day, and
 * stored files that no row refers to.
 */
import type { Logger } from 'pino'
import type { Db, Handle } from '../db/handle.ts'
import type { FileRow } from '../db/media-tables.ts'
import type { Staging } from '../storage/staging.ts'
import type { Store } from '../storage/store.ts'
import { listUnused, removeUnused } from '../uploads/unused.ts'
import { findBirth, listBundles, listFilePaths, listRenditionPaths } from './queries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MINUTE_MS = 60_000
/** Stored files that are looked up at once. */
const BATCH = 200
/** What is removed in one go at most; the rest waits for the next. */
const REMOVED_MAX = 10_000
/** From so many on it is asked whether these are somebody else's files. */
const SUSPICIOUS = 100
/** The forms of path that this server makes; anything else is not its to remove. */
const OWN = /^(?:bundles\/)?([0-9a-f]{64})[./]/

interface Options {
  store: Store
  staging: Staging
  log: Logger
  /** Another process looks at the store; staged files stand on each machine. */
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
   * Does what is due; called at the start and every minute. It checks staged files at once and every hour,
   * unused uploads a minute after the start and every hour, stored files an hour after the start and
   * every day.
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
    // Not at the start, so that a clock set at boot is noticed first.
    this.#unusedDueAt ??= now + MINUTE_MS
    if (now >= this.#unusedDueAt || this.#unusedDueAt > now + HOUR_MS) {
      this.#unusedDueAt = now + HOUR_MS
      await this.#removeUnused(db, now - DAY_MS)
    }
    this.#storedDueAt ??= now + HOUR_MS
    if (now >= this.#storedDueAt) {
      // Where it fails it is tried again soon.
      this.#storedDueAt = now + HOUR_MS
      await this.#sweepStore(db, now - DAY_MS)
      this.#storedDueAt = now + DAY_MS
    }
  }

  /** Removes unused uploads from before a time, and files that have no other upload. */
  async #removeUnused(db: Db, before: number): Promise<void> {
    let removed = 0
    for await (const id of listUnused(db, before)) {
      if (this.#isClosed) break
      const file = await removeUnused(db, id)
      if (!file) continue
      removed++
      await this.#remove(db, await this.#listPaths(file), before)
    }
    if (removed > 0) this.#log.info({ files: removed }, 'removed uploads that nothing uses')
  }

  async #listPaths({ sha256, path, thumbnail_path }: FileRow): Promise<string[]> {
    const paths = new Set(thumbnail_path === null ? [path] : [path, thumbnail_path])
    for (const folder of [`${sha256}/`, `bundles/${sha256}/`]) {
      for await (const found of this.#store.list(folder)) paths.add(found.path)
    }
    return [...paths]
  }

  /** Removes stored files that were put before a time and belong to nothing. */
  async #sweepStore(db: Db, before: number): Promise<void> {
    // What is older than the database is of another one, whose files these may still be.
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
      if (modifiedAt >= before || modifiedAt < birth || !OWN.test(path)) continue
      batch.push(path)
      if (batch.length === BATCH) await look()
    }
    await look()
    if (orphans.length > SUSPICIOUS && orphans.length > seen / 2) {
      this.#log.warn(
        { files: seen, unknown: orphans.length },
        'most of the stored files are unknown to this database: nothing is removed; see whether another one uses the same storage',
      )
      return
    }
    const removed = await this.#remove(db, orphans, before)
    if (removed > 0)
      this.#log.info({ files: removed }, 'removed stored files that nothing refers to')
  }

  /**
   * An upload of the same bytes may be under way: it puts them first, and its row comes after. So a
   * file goes only if it is old still, which the store sees to, and a row that came since keeps it.
   */
  async #remove(db: Handle, orphans: string[], before: number): Promise<number> {
    let removed = 0
    for (let at = 0; at < orphans.length; at += BATCH) {
      for (const path of await listOrphans(db, orphans.slice(at, at + BATCH))) {
        if (this.#isClosed) return removed
        if (await this.#store.removeOlder(path, before)) removed++
      }
    }
    return removed
  }

  /** Ends what runs after the file it is at. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running?.catch(() => {})
  }
}

/** Of paths of ours, those that no row refers to. */
export async function listOrphans(db: Handle, paths: string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const hashes = [...new Set(paths.map(hashOf))]
  const files = new Set(await listFilePaths(db, paths))
  const folders = new Set((await listRenditionPaths(db, hashes)).map(folderOf))
  const bundles = new Set(await listBundles(db, hashes))
  return paths.filter((path) => {
    if (path.startsWith('bundles/')) return !bundles.has(hashOf(path))
    // A rendition is all that stands in its folder: a playlist brings what it lists.
    return !files.has(path) && !folders.has(folderOf(path))
  })
}

function hashOf(path: string): string {
  return OWN.exec(path)?.[1] as string
}

/** The folder below the hash: `ab12…/x/` of `ab12…/x/hls/720p.mp4`; a file that stands in none is its own. */
export function folderOf(path: string): string {
  return /^[^/]+\/[^/]+\//.exec(path)?.[0] ?? path
}
