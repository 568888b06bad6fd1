/**
 * Measures the gain from a second server process on one PostgreSQL. The load generator has its own processor. If there
 * are too few processors, cgroups limit each server to a fraction of a processor, which needs root. The result then
 * shows whether the servers block each other in the database.
 */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { DURABLE, onServer, startPrivatePostgres } from '../../scripts/postgres.ts'
import { load } from '../../bench/load.ts'
import { median, type Setup } from '../../bench/report.ts'
import { type Row, rowNamed } from '../../bench/rows.ts'
import { type PlazaServer, pin, SECRETS, type Server } from '../../bench/servers.ts'
import { makeWorld, type World } from '../../bench/world.ts'
import { Harness } from '../harness/harness.ts'
import { listProcesses } from '../harness/processes.ts'
import { alternate, startOn } from './compare.ts'

const TARGET = 1.6
const ROWS = ['unread-count', 'home-feed', 'like-toggle'].map(rowNamed)
const SHARE = 0.25
const PROCESSORS_MIN = 5

interface Round {
  rate: number
  /** CPU time of the servers per request, in microseconds. */
  server: number
  /** CPU time of PostgreSQL per request, in microseconds. */
  postgres: number
}

export async function measureProcesses({ connections, seconds, rounds }: Setup): Promise<void> {
  const processors = availableParallelism()
  pin(processors > 1 ? `1-${processors - 1}` : '0')
  const postgres = await startPrivatePostgres(DURABLE)
  const harness = await Harness.make(postgres)
  const limits: (() => void)[] = []
  try {
    const world = await harness.withDatabase((db) => makeWorld(db, SECRETS.TOKEN_SECRET))
    await onServer(harness.databaseUrl as string, 'vacuum analyze')
    const servers: PlazaServer[] = []
    for (const name of ['first', 'second']) {
      servers.push(await startOn(harness, { DATA_DIR: join(harness.folder, name) }))
    }
    pin('0')
    const isLimited = processors < PROCESSORS_MIN && servers.every(({ pid }) => limit(pid, limits))
    const share = isLimited ? SHARE : 1
    const port = new URL(postgres.url).port
    const found = []
    for (const row of ROWS) {
      const once = (many: number, time: number) =>
        measureOnce(servers.slice(0, many), row, world, { connections, seconds: time, port })
      await once(2, Math.min(2, seconds))
      const pairs = await alternate(rounds, (index) => once(index + 1, seconds))
      found.push(summarise(row.name, pairs, { processors, share }))
    }
    const missed = found.filter(({ ratio, permits }) => ratio < Math.min(TARGET, permits))
    console.log(
      `${processors} processors, one of them for the load generator; ` +
        `${isLimited ? `each server is limited to ${share} of a processor` : 'servers are not limited'}; ` +
        `${connections} connections in total, median of ${rounds} rounds of ${seconds} s`,
    )
    console.table(found)
    console.log(
      `permits: maximum ratio that the remaining processors allow, derived from the CPU time ` +
        `of one request. ${missed.length === 0 ? 'All rows reach' : `${missed.length} rows miss`} ` +
        `${TARGET} or the permitted ratio.`,
    )
  } finally {
    // The servers must have ended before their cgroups can be removed.
    await harness.close()
    for (const undo of limits) undo()
    await postgres.stop()
  }
}

function summarise(
  name: string,
  pairs: [Round, Round][],
  { processors, share }: { processors: number; share: number },
) {
  const medianOf = (index: 0 | 1, figure: keyof Round) =>
    median(pairs.map((pair) => pair[index][figure]))
  const [server, postgres] = [medianOf(0, 'server'), medianOf(0, 'postgres')]
  const round = (value: number, digits = 0) => Number(value.toFixed(digits))
  return {
    name,
    single: round(medianOf(0, 'rate')),
    double: round(medianOf(1, 'rate')),
    ratio: round(median(pairs.map(([single, double]) => double.rate / single.rate)), 2),
    permits: round(
      Math.min(2, Math.max(1, (processors - 1) / (share * (1 + postgres / server)))),
      2,
    ),
    'server µs': round(server),
    'postgres µs': round(postgres),
    'server µs of two': round(medianOf(1, 'server')),
    'postgres µs of two': round(medianOf(1, 'postgres')),
  }
}

async function measureOnce(
  servers: readonly Server[],
  row: Row,
  world: World,
  { connections, seconds, port }: { connections: number; seconds: number; port: string },
): Promise<Round> {
  const postgres = postgresTime(port)
  const each = Math.ceil(connections / servers.length)
  const rates = await Promise.all(
    servers.map((server, index) => {
      const viewers = world.viewers.slice((index * world.viewers.length) / servers.length)
      return load(server, row, { ...world, viewers }, { connections: each, seconds })
    }),
  )
  const rate = rates.reduce((sum, server) => sum + server.rate, 0)
  const cpu = rates.reduce((sum, server) => sum + server.cpu * server.rate, 0) / rate
  const spent = (postgresTime(port) - postgres) * 1000
  return { rate, server: cpu, postgres: spent / (rate * seconds) }
}

/** Limits a process to the fraction SHARE of one processor. Returns false when the cgroup cannot be set up. */
function limit(pid: number, undo: (() => void)[]): boolean {
  const [period, quota] = [20_000, 20_000 * SHARE]
  const unified = '/sys/fs/cgroup/cgroup.controllers'
  const base = existsSync(unified) ? '/sys/fs/cgroup' : '/sys/fs/cgroup/cpu'
  const group = join(base, `plaza-bench-${pid}`)
  try {
    mkdirSync(group)
    undo.push(() => rmdirSync(group))
    if (base.endsWith('cpu')) {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(period))
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota))
    } else writeFileSync(join(group, 'cpu.max'), `${quota} ${period}`)
    writeFileSync(join(group, 'cgroup.procs'), String(pid))
    return true
  } catch {
    return false
  }
}

/** Returns the CPU time of the postmaster and its running and exited child processes in milliseconds. */
function postgresTime(port: string): number {
  const processes = listProcesses()
  const master = processes.find(
    ({ words }) => words[0]?.endsWith('/postgres') && words.includes(port),
  )
  const children = processes.filter(({ parent }) => parent === master?.pid)
  const ticks = children.reduce((sum, { own }) => sum + own, 0)
  return (ticks + (master?.own ?? 0) + (master?.ended ?? 0)) * 10
}
