/**
 * Records every write before its request and after its response, then compares the records with the database.
 *
 * Allowed results are ok (acknowledged, present), recovered (no response, present) and absent (no response, missing).
 * Errors are lost (acknowledged, missing), duplicated and corrupt.
 */
import type { ScriptRow } from '../../src/db/handle.ts'
import type { Findings, Harness } from './harness.ts'

export type Creation = 'post' | 'comment' | 'message' | 'publish'
export type Toggle = 'like' | 'bookmark' | 'follow'

export interface Write {
  kind: Creation | Toggle
  actor: string
  /** Unique text of the created row, or the target of a toggle. */
  mark: string
  key: string
  path: string
  body?: Record<string, unknown>
  isAcknowledged: boolean
  /** Sequence number of the write's first request. Requests and acknowledgements share one sequence. */
  asked?: number
  /** Sequence number of the acknowledgement. */
  answered?: number
  id?: string
}

const CREATIONS: Record<Creation, string> = {
  post: 'select id, author_id as actor, body as mark from posts',
  comment: 'select id, author_id as actor, body as mark from comments',
  message: 'select id, sender_id as actor, body as mark from messages',
  publish:
    "select c.id, c.creator_id as actor, c.title as mark from contents c join content_stats s on s.content_id = c.id where s.is_public = 1 and c.type = 'article'",
}
const TOGGLES: Record<Toggle, string> = {
  like: 'select user_id as actor, content_id as subject from likes',
  bookmark: 'select user_id as actor, content_id as subject from bookmarks',
  follow:
    'select f.follower_id as actor, u.handle as subject from follows f join users u on u.id = f.creator_id',
}

export class Journal {
  readonly creations: Write[] = []
  /** Expected state of each toggle. Undefined after an abandoned write, which may or may not have taken effect. */
  readonly #toggles = new Map<string, boolean | undefined>()
  readonly #underWay = new Set<string>()
  acknowledged = 0
  #moments = 0
  readonly unexpected: string[] = []

  intend(write: Write): void {
    write.asked = ++this.#moments
    if (!isToggle(write.kind)) return void this.creations.push(write)
    this.#underWay.add(toggleOf(write))
    if (!this.#toggles.has(toggleOf(write))) this.#toggles.set(toggleOf(write), false)
  }

  acknowledge(write: Write, response: { id?: string; state?: boolean }): void {
    this.acknowledged++
    write.answered = ++this.#moments
    write.isAcknowledged = true
    if (!isToggle(write.kind)) {
      write.id = response.id
      return
    }
    this.#underWay.delete(toggleOf(write))
    const before = this.#toggles.get(toggleOf(write))
    if (before !== undefined && response.state === before) {
      this.unexpected.push(`${write.kind} of ${write.mark} was ${before} and is ${response.state}`)
    }
    this.#toggles.set(toggleOf(write), response.state)
  }

  /** Records that an unacknowledged write will not be retried. */
  abandon(write: Write): void {
    if (!isToggle(write.kind)) return
    this.#underWay.delete(toggleOf(write))
    this.#toggles.set(toggleOf(write), undefined)
  }

  /** Returns `user content` for each acknowledged like of a user's contents by another user. */
  likesOf(creator: string): string[] {
    const published = this.creations.filter((write) => write.kind === 'publish')
    const own = new Set(published.filter(({ actor }) => actor === creator).map(({ id }) => id))
    return [...this.#toggles].flatMap(([toggle, isSet]) => {
      const [kind, actor, content] = toggle.split(' ')
      const isWanted = kind === 'like' && isSet && actor !== creator && own.has(content)
      return isWanted ? [`${actor} ${content}`] : []
    })
  }

  /**
   * Compares every write with the database, and every row with the recorded writes. Call it only while no
   * write is in progress.
   */
  async verify(harness: Harness): Promise<void> {
    const { findings } = harness
    const rows = await readAll(harness)
    const known = new Set<string>()
    for (const write of this.creations) {
      known.add(write.mark)
      const found = rows[write.kind].get(write.mark) ?? []
      const [only] = found
      if (found.length > 1) say(findings, 'duplicated', write)
      else if (!only) {
        if (write.isAcknowledged) say(findings, 'lost', write)
      } else if (only['actor'] !== write.actor || (write.id && only['id'] !== write.id)) {
        say(findings, 'corrupt', write)
      }
    }
    for (const kind of Object.keys(CREATIONS) as Creation[]) {
      for (const [mark, [row]] of rows[kind]) {
        if (known.has(mark)) continue
        findings.corrupt++
        findings.broken.push(`${kind} ${String(row?.['id'])} was not written by any client`)
      }
    }
    for (const [toggle, expected] of this.#toggles) {
      const [kind = '', rest = ''] = toggle.split(/ (.*)/s)
      const isSet = rows[kind as Toggle].has(rest)
      if (expected === undefined || isSet === expected || this.#underWay.has(toggle)) continue
      findings[expected ? 'lost' : 'duplicated']++
      findings.broken.push(`${toggle} is ${isSet}, but was acknowledged as ${expected}`)
    }
    for (const kind of Object.keys(TOGGLES) as Toggle[]) {
      for (const key of rows[kind].keys()) {
        if (this.#toggles.has(`${kind} ${key}`)) continue
        findings.corrupt++
        findings.broken.push(`${kind} ${key} was not made by any client`)
      }
    }
    findings.broken.push(...this.unexpected.splice(0))
    findings.acknowledged = this.acknowledged
  }
}

export function isToggle(kind: Write['kind']): kind is Toggle {
  return Object.hasOwn(TOGGLES, kind)
}

function toggleOf({ kind, actor, mark }: Write): string {
  return `${kind} ${actor} ${mark}`
}

function say(findings: Findings, what: 'lost' | 'duplicated' | 'corrupt', write: Write): void {
  findings[what]++
  findings.broken.push(`${what}: ${write.kind} ${write.mark} ${write.key}`)
}

type Rows = Record<Creation | Toggle, Map<string, ScriptRow[]>>

/** Returns the rows by kind of write. Within a kind, the key is the unique text or, for toggles, user and target. */
function readAll(harness: Harness): Promise<Rows> {
  return harness.withDatabase((db) =>
    db.script(async (run) => {
      const rows: Record<string, Map<string, ScriptRow[]>> = {}
      for (const [kind, text] of Object.entries({ ...CREATIONS, ...TOGGLES })) {
        rows[kind] = Map.groupBy(await run(text), ({ mark, actor, subject }) =>
          String(mark ?? `${String(actor)} ${String(subject)}`),
        )
      }
      return rows as Rows
    }),
  )
}
