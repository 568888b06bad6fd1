import { createHmac } from 'node:crypto'
import { WriteBuffer } from '../write-buffer.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/handle.ts'
import { addressKeys } from '../limits/address.ts'
import { addViews, deleteOldViews, type View } from './queries.ts'

const FLUSH_MS = 500
const HOUR_MS = 60 * 60 * 1000
const COUNTED_MAX = 100_000
/** Hours for which views are stored: the current and the previous one, which a process with a slow clock still uses. */
const RETENTION_HOURS = 2

interface Caller {
  viewer: { id: string } | null
  ip: string
  userAgent: string | null
  isHead: boolean
}

export class ContentViews {
  readonly #waiting: WriteBuffer<View>
  /** Keys of views that this process has stored. The set is cleared when it exceeds COUNTED_MAX. */
  #counted = new Set<string>()
  readonly #db: Db
  readonly #now: () => number
  readonly #secret: string

  constructor(
    db: Db,
    { tokenSecret }: Pick<Config, 'tokenSecret'>,
    now: () => number,
    onError: (error: unknown) => void,
  ) {
    this.#db = db
    this.#now = now
    this.#secret = tokenSecret
    this.#waiting = new WriteBuffer(FLUSH_MS, (views) => this.#store(views), onError)
  }

  /**
   * Counts a view. Skips HEAD requests, the author's own views, and views already stored for the same viewer and
   * hour.
   */
  note(
    content: { id: string; creator: { id: string } },
    { viewer, ip, userAgent, isHead }: Caller,
  ): void {
    if (isHead || viewer?.id === content.creator.id) return
    const name = viewer?.id ?? anonymousViewer(this.#secret, ip, userAgent)
    const hour = Math.floor(this.#now() / HOUR_MS)
    const key = `${content.id} ${name} ${hour}`
    if (this.#counted.has(key)) return
    this.#waiting.add(key, { content_id: content.id, viewer: name, hour })
  }

  async #store(views: Map<string, View>): Promise<void> {
    await this.#db.transaction((tx) => addViews(tx, [...views.values()]))
    if (this.#counted.size + views.size > COUNTED_MAX) this.#counted = new Set()
    for (const key of views.keys()) this.#counted.add(key)
    await deleteOldViews(this.#db, Math.floor(this.#now() / HOUR_MS) - RETENTION_HOURS + 1)
  }

  flush(): Promise<void> {
    return this.#waiting.flush()
  }

  close(): Promise<void> {
    return this.#waiting.close()
  }
}

/**
 * Returns a pseudonym for an anonymous viewer. It is the same in all processes and reveals neither the IP
 * address nor the user agent.
 */
function anonymousViewer(secret: string, ip: string, userAgent: string | null): string {
  const digest = createHmac('sha256', secret).update(
    `view\n${addressKeys(ip)[0]}\n${userAgent ?? ''}`,
  )
  return digest.digest('base64url')
}
