/** Compares the rate of likes when all users like one content item with the rate when they like different items. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPrivatePostgres } from '../../scripts/postgres.ts'
import { createContent } from '../../src/contents/rules.ts'
import type { Db } from '../../src/db/handle.ts'
import { openDatabase } from '../../src/db/open.ts'
import { makeUsers } from './users.ts'
import { load, type Rate } from '../../bench/load.ts'
import { median, type Setup } from '../../bench/report.ts'
import { type Row, ROWS } from '../../bench/rows.ts'
import { startPlaza } from '../../bench/servers.ts'
import type { Viewer, World } from '../../bench/world.ts'

const CLIENTS = 64

/** Runs the benchmark and reports the rates. Throws when a stored count differs from the number of its rows. */
export async function measureHot({ engine, seconds, rounds }: Setup, json: boolean): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'plaza-hot-'))
  const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
  const postgres = engine === 'postgres' ? await startPrivatePostgres(durable) : undefined
  const db = openDatabase({ databaseUrl: postgres?.url, dataDir: directory })
  try {
    const world = await makeFans(db)
    const settings = postgres ? { DATABASE_URL: postgres.url } : {}
    const server = await startPlaza({ ...settings, DATA_DIR: directory }, undefined)
    const found: { hot: Rate; spread: Rate }[] = []
    try {
      const run = (row: Row, duration: number) =>
        load(server, row, world, { connections: CLIENTS, seconds: duration })
      await run(spread, 1)
      for (let round = 0; round < rounds; round++) {
        const first = round % 2 ? undefined : await run(hot, seconds)
        const spreadRate = await run(spread, seconds)
        found.push({ hot: first ?? (await run(hot, seconds)), spread: spreadRate })
      }
    } finally {
      await server.stop()
    }
    await requireExact(db)
    report(found, engine, json)
  } finally {
    await db.close()
    await postgres?.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

const like = ROWS.find(({ name }) => name === 'like-toggle') as Row
const likeOf = (id: string | undefined) => ({ path: `/api/v1/contents/${id}/like` })
const spread: Row = { ...like, calls: (_, { contents }) => contents.map(likeOf) }
const hot: Row = { ...like, calls: ({ discussed }) => [likeOf(discussed)] }

/**
 * Creates users, each with a session and one content item. In row `spread` of the benchmark, each user likes the
 * content of another user. In row `hot`, all users like `discussed`.
 */
async function makeFans(db: Db): Promise<World> {
  const input = { category: 'hype', type: 'video', title: '강: a river' } as const
  const made: { token: string; id: string }[] = []
  for (const { user, token } of await makeUsers(db, CLIENTS + 1)) {
    const rest = { permissions: [], isVerified: true, sessionId: '', key: null } as const
    const { id, handle } = user
    const author = { id, handle, role: 'user', tier: 'regular', ...rest } as const
    const { content } = await createContent(db, author, input, { now: Date.now(), converts: false })
    made.push({ token, id: content.id })
  }
  const [discussed, ...others] = made
  const viewers = others.map(({ token }, i) => {
    const theirs = others[(i + 1) % others.length]?.id ?? ''
    return { token, contents: [theirs] } as unknown as Viewer
  })
  return { viewers, discussed: discussed?.id ?? '' }
}

async function requireExact(db: Db): Promise<void> {
  await db.script(async (run) => {
    const wrong = await run(`select content_id from content_stats where like_count <>
      (select count(*) from likes where likes.content_id = content_stats.content_id)
      union all select user_id from notification_counts where total <>
      (select count(*) from notifications where notifications.user_id = notification_counts.user_id)`)
    if (wrong.length > 0) throw new Error(`counts differ from their rows: ${JSON.stringify(wrong)}`)
  })
}

function report(found: { hot: Rate; spread: Rate }[], engine: string, json: boolean): void {
  const rates = {
    engine,
    hot: Math.round(median(found.map(({ hot: { rate } }) => rate))),
    spread: Math.round(median(found.map(({ spread: { rate } }) => rate))),
    ratio: median(found.map((round) => round.hot.rate / round.spread.rate)),
    p99: median(found.map(({ hot: { p99 } }) => p99)),
    cpu: median(found.map(({ spread: { cpu } }) => cpu)),
  }
  if (json) return console.log(JSON.stringify(rates))
  console.log(
    `${CLIENTS} users toggle likes (${engine}): one content ${rates.hot}/s, different contents ${rates.spread}/s`,
  )
  console.log(
    `ratio ${rates.ratio.toFixed(2)}, p99 of the one content ${rates.p99} ms, ${rates.cpu.toFixed(0)} µs of server CPU time per request; every count equals its rows`,
  )
}
