import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { type Findings, noFindings } from './harness/findings.ts'
import { LoadGenerator } from './harness/load-generator.ts'
import type { Harness } from './harness/harness.ts'
import type { Write } from './harness/journal.ts'

const HOUR = 3_600_000
const YEAR = 365.25 * 24 * HOUR
const JUMPS = [HOUR, -HOUR, 10 * YEAR, -10 * YEAR]
/**
 * Lists by kind of write: the table, and the column or expression that identifies a list. In each list, ids must ascend
 * in the order of the writes.
 */
const LISTS = {
  comment: ['comments', 'content_id'],
  message: ['messages', 'conversation_id'],
  post: ['posts', "cast('all' as text)"],
} as const

/**
 * Code of a module that is loaded before Plaza. It adds an offset to the real clock: the milliseconds in the file at
 * `path`.
 */
const SHIM = (path: string) => `
import { readFileSync } from 'node:fs'
const real = Date.now
let offset = 0
const read = () => { try { offset = Number(readFileSync(${JSON.stringify(path)}, 'latin1')) || 0 } catch {} }
read()
setInterval(read, 20).unref()
const now = () => real() + offset
const System = Date
globalThis.Date = class extends System {
  constructor(...given) { if (given.length > 0) super(...given); else super(now()) }
  static now() { return now() }
}`

export const clockJump: Fault = {
  name: 'clock-jump',
  promise:
    'keeps ids unique, lists ordered, cursors complete and sessions valid when the clock jumps',
  rounds: { full: 8, short: 2 },
  async run(harness, rounds) {
    const findings = noFindings()
    const load = await LoadGenerator.gather(harness, 12)
    const file = join(harness.folder, 'offset')
    writeFileSync(file, '0')
    const shim = `data:text/javascript,${encodeURIComponent(SHIM(file))}`
    const server = await harness.serve({
      NODE_OPTIONS: `--import ${shim}`,
      // Access tokens must stay valid during the jumps of an hour.
      ACCESS_TOKEN_TTL: String((4 * HOUR) / 1000),
    })
    await load.prepare(server.url)
    let isOver = false
    // While the clock is ten years ahead, all access tokens are expired. Short runs do not reach that jump.
    const expires = rounds > JUMPS.indexOf(10 * YEAR)
    const writing = load.write({
      url: () => server.url,
      isOver: () => isOver,
      isPersistent: true,
      expires,
    })
    const sessions = await count(harness, 'sessions')
    for (let round = 0; round < rounds; round++) {
      await sleep(500)
      writeFileSync(file, String(JUMPS[round % JUMPS.length]))
      // In a full run, one jump lasts over a minute, so that jobs with an interval of one minute start during
      // the jump.
      await sleep(rounds > 2 && round === 2 ? 65_000 : 500)
      writeFileSync(file, '0')
    }
    await sleep(300)
    isOver = true
    const stats = await writing
    for (const [status, times] of stats.refused) {
      const list = expires && status === 401 ? findings.notes : findings.broken
      list.push(`${times} requests returned ${status}`)
    }
    for (const { token } of load.users) {
      const headers = { authorization: `Bearer ${token}` }
      const { status } = await fetch(`${server.url}/api/v1/auth/me`, { headers })
      if (status !== 200) findings.broken.push(`session rejected: ${status}`)
    }
    if ((await count(harness, 'sessions')) < sessions) findings.broken.push('sessions were deleted')
    await load.journal.verify(harness, findings)
    await harness.recount(findings)
    judgeOrder(load.journal.creations, findings)
    for (const list of Object.values(LISTS)) await judgeTimes(harness, findings, list)
    await walkCursors(load, server.url, findings)
    return findings
  },
}

async function count(harness: Harness, table: string): Promise<number> {
  const [row] = await harness.sql(`select count(*) as n from ${table}`)
  return Number(row?.['n'])
}

/**
 * Checks the order of ids in each list. If one write was acknowledged before another was requested, the
 * second must have the greater id.
 */
function judgeOrder(creations: readonly Write[], findings: Findings): void {
  const moments = creations
    .filter(({ kind, answered }) => Object.hasOwn(LISTS, kind) && answered !== undefined)
    .flatMap((write) => [
      { time: write.asked as number, write },
      { time: write.answered as number, write },
    ])
    .toSorted((a, b) => a.time - b.time)
  // Newest acknowledged id of each list, by request path.
  const newest = new Map<string, string>()
  // For each write, the newest acknowledged id of its list at the time of the request.
  const before = new Map<Write, string>()
  for (const { time, write } of moments) {
    const { path, id = '' } = write
    const last = newest.get(path) ?? ''
    if (time === write.asked) before.set(write, last)
    else {
      const earlier = before.get(write) ?? ''
      if (id <= earlier) findings.broken.push(`${id} came after ${earlier}`)
      if (id > last) newest.set(path, id)
    }
  }
}

async function judgeTimes(harness: Harness, findings: Findings, [table, list]: readonly string[]) {
  const rows = await harness.sql(
    `select ${list} as list, id, created_at from ${table} order by list, id`,
  )
  for (const [i, row] of rows.entries()) {
    const before = rows[i - 1]
    if (before?.['list'] !== row['list']) continue
    if (Number(row['created_at']) < Number(before?.['created_at'])) {
      findings.broken.push(
        `${table}: ${String(row['id'])} has an earlier time than the row before it`,
      )
    }
  }
}

async function walkCursors(load: LoadGenerator, url: string, findings: Findings): Promise<void> {
  for (const user of load.users.slice(0, 3)) {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor ? `&before=${cursor}` : ''
      const answer = await fetch(`${url}/api/v1/users/me/posts?limit=7${query}`, {
        headers: { authorization: `Bearer ${user.token}` },
      })
      const { data } = (await answer.json()) as {
        data: { posts: { id: string }[]; next_cursor: string | null }
      }
      seen.push(...data.posts.map(({ id }) => id))
      cursor = data.next_cursor
    } while (cursor && seen.length < 100_000)
    const written = load.journal.creations.filter(
      ({ kind, actor, isAcknowledged }) => kind === 'post' && actor === user.id && isAcknowledged,
    )
    if (new Set(seen).size !== seen.length) findings.broken.push('paging returned a post twice')
    const missed = written.filter(({ id }) => !seen.includes(id as string)).length
    if (missed > 0) findings.broken.push(`paging missed ${missed} posts of ${written.length}`)
  }
}
