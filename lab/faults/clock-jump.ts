import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { anyone } from '../../test/actors.ts'
import { idsOf } from '../../test/make.ts'
import type { Fault } from './fault.ts'
import type { Harness } from '../harness/harness.ts'
import type { Write } from '../harness/journal.ts'
import { LoadGenerator } from '../harness/load-generator.ts'

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
    const { broken, notes } = harness.findings
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
    // While the clock is ten years ahead, all access tokens are expired. Short runs do not reach that jump.
    const expires = rounds > JUMPS.indexOf(10 * YEAR)
    const writing = load.start(server.url, { expires })
    const sessions = await harness.number('select count(*) from sessions')
    for (let round = 0; round < rounds; round++) {
      await sleep(500)
      writeFileSync(file, String(JUMPS[round % JUMPS.length]))
      // In a full run, one jump lasts over a minute, so that jobs with an interval of one minute start during
      // the jump.
      await sleep(rounds > 2 && round === 2 ? 65_000 : 500)
      writeFileSync(file, '0')
    }
    await sleep(300)
    const stats = await writing.stop()
    load.judge(stats, ...(expires ? [401] : []))
    if (expires) notes.push(`${stats.refused.get(401) ?? 0} requests returned 401`)
    for (const user of load.users) {
      const { status } = await clientOf(server.url, user).get('/auth/me')
      if (status !== 200) broken.push(`session rejected: ${status}`)
    }
    if ((await harness.number('select count(*) from sessions')) < sessions)
      broken.push('sessions were deleted')
    await load.check()
    judgeOrder(load.journal.creations, broken)
    for (const list of Object.values(LISTS)) await judgeTimes(harness, list)
    await walkCursors(load, server.url, broken)
  },
}

const clientOf = (url: string, { token }: { token: string }) =>
  anyone(url, { authorization: `Bearer ${token}` })

/**
 * Checks the order of ids in each list. If one write was acknowledged before another was requested, the
 * second must have the greater id.
 */
function judgeOrder(creations: readonly Write[], broken: string[]): void {
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
      if (id <= earlier) broken.push(`${id} came after ${earlier}`)
      if (id > last) newest.set(path, id)
    }
  }
}

async function judgeTimes(harness: Harness, [table, list]: readonly string[]) {
  const rows = await harness.sql(
    `select ${list} as list, id, created_at from ${table} order by list, id`,
  )
  for (const [i, row] of rows.entries()) {
    const before = rows[i - 1]
    if (before?.['list'] !== row['list']) continue
    if (Number(row['created_at']) < Number(before?.['created_at'])) {
      harness.findings.broken.push(
        `${table}: ${String(row['id'])} has an earlier time than the row before it`,
      )
    }
  }
}

async function walkCursors(load: LoadGenerator, url: string, broken: string[]): Promise<void> {
  for (const user of load.users.slice(0, 3)) {
    const seen: string[] = []
    for (let query = ''; seen.length < 100_000; ) {
      const { data } = await clientOf(url, user).get(`/users/me/posts?limit=7${query}`)
      seen.push(...idsOf(data.posts))
      if (!data.next_cursor) break
      query = `&before=${data.next_cursor}`
    }
    const written = load.journal.creations.filter(
      ({ kind, actor, isAcknowledged }) => kind === 'post' && actor === user.id && isAcknowledged,
    )
    if (new Set(seen).size !== seen.length) broken.push('paging returned a post twice')
    const missed = written.filter(({ id }) => !seen.includes(id as string)).length
    if (missed > 0) broken.push(`paging missed ${missed} posts of ${written.length}`)
  }
}
