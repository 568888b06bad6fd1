/**
 * Measures how long the most expensive request bodies block the server's event loop, and how they delay other
 * clients.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { currentRoutes } from '../../src/current-routes.ts'
import { type HostileBody, hostileBodies } from './hostile-bodies.ts'
import { makeTokens } from './users.ts'
import { median } from '../../bench/report.ts'
import { type PlazaServer, startPlaza } from '../../bench/servers.ts'

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

export async function measureHostile(seconds: number, json: boolean): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'plaza-hostile-'))
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  try {
    const [token = ''] = await makeTokens(directory, 1, 'admin')
    const server = await startPlaza({ DATA_DIR: directory }, undefined)
    try {
      const send = (attack: Attack) => sendBody(server.url, attack, { token, agent })
      const worst: Cost[] = []
      for (const attacks of listAttacks()) worst.push(await findWorst(server, attacks, send))
      worst.sort((left, right) => right.ms - left.ms)
      const quiet = await timeOthers(server.url, seconds, agent)
      const hostile = worst.slice(0, 4)
      const { signal, stop } = attackWith(hostile, send)
      const beside = await timeOthers(server.url, seconds, agent)
      stop()
      await signal
      report({ worst, quiet, beside }, json)
    } finally {
      await server.stop()
    }
  } finally {
    agent.destroy()
    rmSync(directory, { recursive: true, force: true })
  }
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
  send: (attack: Attack) => Promise<number>,
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

function attackWith(attacks: readonly Attack[], send: (attack: Attack) => Promise<number>) {
  let isOver = false
  const run = async (index: number) => {
    const attack = attacks[index % attacks.length] as Attack
    while (!isOver) await send(attack)
  }
  const signal = Promise.all(Array.from({ length: HOSTILE_CONNECTIONS }, (_, index) => run(index)))
  const stop = () => {
    isOver = true
  }
  return { signal, stop }
}

/**
 * Measures an ordinary read by four clients. Returns the median and maximum time in milliseconds, and the numbers of
 * requests and failures.
 */
async function timeOthers(url: string, seconds: number, agent: Agent) {
  const until = performance.now() + seconds * 1000
  const times: number[] = []
  let failed = 0
  const run = async () => {
    while (performance.now() < until) {
      const started = performance.now()
      const status = await ask(`${url}/api/v1/feeds?per_page=1`, { method: 'GET', agent })
      times.push(performance.now() - started)
      if (status !== 200) failed++
    }
  }
  await Promise.all(Array.from({ length: 4 }, run))
  return { median: median(times), max: Math.max(...times), requests: times.length, failed }
}

function sendBody(
  url: string,
  { method, path, text }: Attack,
  { token, agent }: { token: string; agent: Agent },
): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return ask(url + path, { method, agent, headers }, text)
}

function ask(url: string, options: object, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, options, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
      .once('error', reject)
      .end(body)
  })
}

type Times = Awaited<ReturnType<typeof timeOthers>>

function report(found: { worst: Cost[]; quiet: Times; beside: Times }, json: boolean): void {
  const { quiet, beside } = found
  const rows = found.worst.map(({ method, path, kind, ms }) => ({
    route: `${method} ${path}`,
    'worst body': kind,
    'ms of the event loop': Number(ms.toFixed(1)),
  }))
  if (json) return console.log(JSON.stringify({ rows, quiet, beside }, null, 2))
  console.table(rows)
  const describeTimes = ({ median: middle, max, requests, failed }: Times) =>
    `median ${middle.toFixed(1)} ms, worst ${max.toFixed(0)} ms, ${failed} of ${requests} not 200`
  console.log(`Other clients without attack: ${describeTimes(quiet)}`)
  console.log(
    `Other clients during ${HOSTILE_CONNECTIONS} hostile connections: ${describeTimes(beside)}`,
  )
}
