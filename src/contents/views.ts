/**
 * Views of works: once for each viewer an hour, and off the request's path. Requests only note
 * them in memory; a small write twice a second counts them.
 */
import { createHmac } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Db } from '../db/handle.ts'
import { addressKey } from '../limits/address.ts'
import { addViews, deleteOldViews, type View } from './view-queries.ts'

const FLUSH_MS = 500
const HOUR_MS = 60 * 60 * 1000
/** Bounds memory: beyond it views are dropped until the next write. */
const WAITING_MAX = 10_000
const COUNTED_MAX = 100_000
/** An hour's viewers are kept this many hours, for clocks of several processes that differ. */
const KEPT_HOURS = 2

interface Caller {
  viewer: { id: string } | null
  ip: string
  userAgent: string | null
}

export class ContentViews {
  readonly #waiting = new Map<string, View>()
  /** Views this process has stored lately, which need not be looked up again. */
  #counted = new Set<string>()
  readonly #db: Db
  readonly #now: () => number
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout
  #flushing: Promise<void> = Promise.resolve()

  constructor(db: Db, now: () => number, onError: (error: unknown) => void) {
    this.#db = db
    this.#now = now
    this.#onError = onError
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  /** Notes that somebody other than its author saw a public work. */
  note(contentId: string, viewer: string): void {
    const hour = Math.floor(this.#now() / HOUR_MS)
    const key = `${contentId} ${viewer} ${hour}`
    if (this.#counted.has(key) || this.#waiting.size >= WAITING_MAX) return
    this.#waiting.set(key, { content_id: contentId, viewer, hour })
  }

  /** Counts what was noted. Never rejects: a view that is lost is no failure. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#store())
    return this.#flushing
  }

  async #store(): Promise<void> {
    if (this.#waiting.size === 0) return
    const views = [...this.#waiting]
    this.#waiting.clear()
    const before = Math.floor(this.#now() / HOUR_MS) - KEPT_HOURS + 1
    try {
      await this.#db.transaction(async (tx) => {
        await addViews(
          tx,
          views.map(([, view]) => view),
        )
        await deleteOldViews(tx, before)
      })
    } catch (error) {
      this.#onError(error)
      return
    }
    if (this.#counted.size + views.length > COUNTED_MAX) this.#counted = new Set()
    for (const [key] of views) this.#counted.add(key)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }
}

/** Notes that a public work was seen, unless by its author. */
export function noteView(
  { views, config }: { views: ContentViews; config: Pick<Config, 'tokenSecret'> },
  work: { id: string; creator: { id: string } },
  { viewer, ip, userAgent }: Caller,
): void {
  if (viewer?.id === work.creator.id) return
  views.note(work.id, viewer?.id ?? anonymousViewer(config.tokenSecret, ip, userAgent))
}

/** Stands for a caller without a session, alike in every process, and tells nothing about them. */
function anonymousViewer(secret: string, ip: string, userAgent: string | null): string {
  const digest = createHmac('sha256', secret).update(`view\n${addressKey(ip)}\n${userAgent ?? ''}`)
  return digest.digest('base64url')
}
