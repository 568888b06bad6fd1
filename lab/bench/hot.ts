/** Compares the rate of likes when all users like one content item with the rate when they like different items. */
import { createContent } from '../../src/contents/rules.ts'
import type { Db } from '../../src/db/handle.ts'
import type { Harness } from '../harness/harness.ts'
import { makeUsers } from '../harness/users.ts'
import { load } from '../../bench/load.ts'
import { median, type Setup } from '../../bench/report.ts'
import { alternate, mediansOf, startOn } from './compare.ts'
import { type Row, rowNamed } from '../../bench/rows.ts'
import type { Viewer, World } from '../../bench/world.ts'

const CLIENTS = 64

/** Runs the benchmark and reports the rates. Throws when a stored count differs from the number of its rows. */
export async function measureHot(
  harness: Harness,
  { engine, seconds, rounds }: Setup,
): Promise<void> {
  const world = await harness.withDatabase(makeFans)
  const server = await startOn(harness)
  const rows = [spread, hot] as const
  await load(server, spread, world, { connections: CLIENTS, seconds: 1 })
  const pairs = await alternate(rounds, (index) =>
    load(server, rows[index], world, { connections: CLIENTS, seconds }),
  )
  await harness.recount()
  const [problem] = harness.findings.broken
  if (problem) throw new Error(problem)
  const rates = mediansOf(pairs.map(([left, right]) => [left.rate, right.rate]))
  const p99 = median(pairs.map(([, { p99: ms }]) => ms))
  const cpu = median(pairs.map(([rate]) => rate.cpu))
  console.log(
    `${CLIENTS} users toggle likes (${engine}): one content ${rates.second.toFixed(0)}/s, different contents ${rates.first.toFixed(0)}/s`,
  )
  console.log(
    `ratio ${rates.ratio.toFixed(2)}, p99 of the one content ${p99} ms, ${cpu.toFixed(0)} µs of server CPU time per request; every count equals its rows`,
  )
}

const spread = rowNamed('like-toggle')
const hot: Row = { ...spread, ids: ({ discussed }) => [discussed] }

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
