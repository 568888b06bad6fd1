import { iso, isoOrNull } from '../clock.ts'
import type { Handle } from '../db/handle.ts'
import type { Store } from '../storage/store.ts'
import { VERSION } from '../package.ts'
import { readNumbers } from './queries.ts'
import type { OverviewRecord } from './schema.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const AGE_MAX_MS = 55_000

/** Counts of the whole site. Counting reads every table, so each process counts at most every AGE_MAX_MS. */
export class Overview {
  #computed: { time: number; record: Promise<OverviewRecord> } | undefined

  /** Returns the overview, which is at most 60 seconds old. */
  read(db: Handle, store: Store, now: number): Promise<OverviewRecord> {
    const age = this.#computed ? now - this.#computed.time : Infinity
    if (!this.#computed || age < 0 || age >= AGE_MAX_MS) {
      const computed = { time: now, record: compute(db, store, now) }
      this.#computed = computed
      computed.record.catch(() => {
        if (this.#computed === computed) this.#computed = undefined
      })
    }
    return this.#computed.record
  }
}

async function compute(db: Handle, store: Store, now: number): Promise<OverviewRecord> {
  const [found, disk] = await Promise.all([
    readNumbers(db, { week: now - 7 * DAY_MS, day: now - DAY_MS }),
    store.findSpace(),
  ])
  const withStatus = (status: string) =>
    found.contents.find((row) => row.status === status)?.count ?? 0
  const { original_bytes, bundle_bytes, all_bytes } = found.storage
  return {
    users: found.users,
    contents: {
      draft: withStatus('draft'),
      processing: withStatus('processing'),
      published: withStatus('published'),
      archived: withStatus('archived'),
      hidden: found.contents.reduce((sum, { hidden }) => sum + hidden, 0),
    },
    ...found.texts,
    storage: {
      original_bytes,
      derived_bytes: all_bytes - original_bytes - bundle_bytes,
      bundle_bytes,
    },
    jobs: found.jobs,
    mail: found.mail,
    webhooks: found.webhooks,
    disk,
    last_backup_at: isoOrNull(found.site.last_backup_at),
    version: VERSION,
    uptime_s: Math.round(process.uptime()),
    computed_at: iso(now),
  }
}
