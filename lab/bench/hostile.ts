/**
 * Measures how long the most expensive request bodies block the server's event loop, and how they delay other
 * clients.
 */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import { currentRoutes } from '../../src/current-routes.ts'
import { type HostileBody, hostileBodies } from './hostile-bodies.ts'
import type { Harness } from '../harness/harness.ts'
import { makeUsers } from '../harness/users.ts'
import { startOn } from './compare.ts'
import { median, type Setup } from '../../bench/report.ts'
import type { PlazaServer } from '../../bench/servers.ts'

/**
 * Kind of request body: an unknown field with many keys. This kind is measured on every route, because it is one of the
 * most expensive.
 */
const KEYS = 'unknown: keys'
const HOSTILE_CONNECTIONS = 32
/** Number of requests in the second measurement of a body. */
const REPEATS = 3
/** Number of the most expensive bodies that are measured again. */
const REMEASURED = 3

interface Attack extends HostileBody {
  method: string
  path: string
}

interface Cost extends Attack {
  /** Milliseconds of CPU time on the server's main thread. */
  ms: number
}

type Send = (attack: Attack) => Promise<void>

export async function measureHostile(harness: Harness, { seconds }: Setup): Promise<void> {
  const dispatcher = new Agent()
  harness.atEnd(() => dispatcher.destroy())
  const [user] = await harness.withDatabase((db) => makeUsers(db, 1, 'admin'))
  const server = await startOn(harness)
  const authorization = `Bearer ${user?.token}`
  const send: Send = async ({ method, path, text }) => {
    const headers = { 'content-type': 'application/json', authorization }
    const options = { method, headers, body: text, dispatcher }
    await (await request(server.url + path, options as object)).body.dump()
  }
  const worst: Cost[] = []
  for (const attacks of listAttacks()) worst.push(await findWorst(server, attacks, send))
  worst.sort((left, right) => right.ms - left.ms)
  const quiet = await timeOthers(server.url, seconds)
  let isOver = false
  const attacking = Array.from({ length: HOSTILE_CONNECTIONS }, async (_, index) => {
    while (!isOver) await send(worst[index % 4] as Attack)
  })
  const beside = await timeOthers(server.url, seconds)
  isOver = true
  await Promise.all(attacking)
  console.table(
    worst.map(({ method, path, kind, ms }) => ({
      route: `${method} ${path}`,
      'worst body': kind,
      'ms of the event loop': Number(ms.toFixed(1)),
    })),
  )
  console.log(`Other clients without attack: ${quiet}`)
  console.log(`Other clients during ${HOSTILE_CONNECTIONS} hostile connections: ${beside}`)
}

/**
 * Yields the bodies for each route that accepts JSON. Only the first route gets all kinds of unknown fields, because
 * their cost is the same on every route.
 */
function* listAttacks(): Generator<Attack[]> {
  let isFirst = true
  for (const { method, path, body } of currentRoutes()) {
    if (!body) continue
    const { examples: [example = {}] = [] }: { examples?: object[] } = body
    const bodies = hostileBodies(body, example)
    // An id that does not exist is enough, because the server parses the body before it looks up the resource.
    const target = path.replace(/:\w+/g, 'x')
    const chosen = bodies.filter(
      ({ kind }) => isFirst || !kind.startsWith('unknown') || kind === KEYS,
    )
    isFirst = false
    yield chosen.map((hostile) => ({ ...hostile, method, path: target }))
  }
}

async function findWorst(
  server: PlazaServer,
  attacks: readonly Attack[],
  send: Send,
): Promise<Cost> {
  const measure = async (attack: Attack, times: number): Promise<Cost> => {
    const before = loopTime(server.pid)
    for (let i = 0; i < times; i++) await send(attack)
    return { ...attack, ms: (loopTime(server.pid) - before) / times }
  }
  // Warm up: the first request to a route compiles its schemas.
  await send(attacks[0] as Attack)
  const costs: Cost[] = []
  for (const attack of attacks) costs.push(await measure(attack, 1))
  costs.sort((left, right) => right.ms - left.ms)
  // Measures the most expensive bodies again and keeps the smaller time, which excludes one-time costs such as garbage
  // collection.
  const again: Cost[] = []
  for (const { ms, ...attack } of costs.slice(0, REMEASURED)) {
    const next = await measure(attack, REPEATS)
    again.push({ ...attack, ms: Math.min(ms, next.ms) })
  }
  return again.sort((left, right) => right.ms - left.ms)[0] as Cost
}

function loopTime(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1e6
}

/** Measures an ordinary read by four clients, and describes the response times. */
async function timeOthers(url: string, seconds: number): Promise<string> {
  const until = performance.now() + seconds * 1000
  const times: number[] = []
  let failed = 0
  const run = async () => {
    while (performance.now() < until) {
      const started = performance.now()
      const { statusCode, body } = await request(`${url}/api/v1/feeds?per_page=1`)
      await body.dump()
      times.push(performance.now() - started)
      if (statusCode !== 200) failed++
    }
  }
  await Promise.all(Array.from({ length: 4 }, run))
  const figures = [
    `median ${median(times).toFixed(1)} ms`,
    `worst ${Math.max(...times).toFixed(0)} ms`,
  ]
  return `${figures.join(', ')}, ${failed} of ${times.length} not 200`
}
