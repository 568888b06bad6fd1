import { availableParallelism } from 'node:os'
import { VERSION } from '../src/package.ts'
import type { Rate } from './load.ts'
import type { Row } from './rows.ts'

export interface Setup {
  engine: 'sqlite' | 'postgres'
  seconds: number
  rounds: number
  connections: number
}

/** Options of all benchmarks. */
export const SETUP_OPTIONS = {
  engine: { type: 'string', default: 'sqlite' },
  seconds: { type: 'string', default: '3' },
  rounds: { type: 'string', default: '3' },
  connections: { type: 'string', default: '32' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

export const SETUP_USAGE = `  --engine sqlite|postgres   default sqlite
  --seconds N                seconds per round, default 3
  --rounds N                 rounds, default 3
  --connections N            connections, default 32`

/** Returns undefined when a value is invalid. */
export function readSetup({ engine, ...counts }: Record<keyof Setup, string>): Setup | undefined {
  const [seconds, rounds, connections] = [counts.seconds, counts.rounds, counts.connections].map(
    (count) => (/^[1-9]\d{0,5}$/.test(count) ? Number(count) : undefined),
  )
  const isEngine = engine === 'sqlite' || engine === 'postgres'
  if (!isEngine || !seconds || !rounds || !connections) return undefined
  return { engine, seconds, rounds, connections }
}

export interface Measured {
  row: Row
  /** One list per round, with the rate of each server in the order of `names`. */
  rounds: Rate[][]
}

/** Prints the results as a table. `names` lists the measured servers. The last one runs this version. */
export function report(setup: Setup, names: string[], measured: Measured[]): void {
  const rows = measured.map((row) => summarise(row, names, setup.engine))
  const { engine, connections, rounds, seconds } = setup
  console.log(
    `Plaza ${VERSION} on ${engine}, Node ${process.versions.node}, ${availableParallelism()} processors, ` +
      `${connections} connections, median of ${rounds} rounds of ${seconds} s`,
  )
  console.log(
    'rate/X: rate of plaza divided by that of X; cpu X/: CPU time of X per request divided by that of plaza. Above 1, plaza is better.\n',
  )
  const others = names.slice(0, -1)
  const lines = [
    [
      '',
      ...names.map((name) => `${name} req/s`),
      ...others.flatMap((name) => [`rate/${name}`, `cpu ${name}/`]),
      ...names.map((name) => `${name} p99`),
      ...names.map((name) => `${name} cpu`),
      'target',
    ],
    ...rows.map(toLine),
  ]
  const widths = lines[0]!.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)))
  for (const [name = '', ...cells] of lines) {
    const padded = cells.map((cell, index) => cell.padStart(widths[index + 1]!))
    console.log([name.padEnd(widths[0]!), ...padded].join('  '))
  }
}

type Summary = ReturnType<typeof summarise>

function summarise({ row, rounds }: Measured, names: string[], engine: string) {
  const last = names.length - 1
  const each = (value: (round: Rate[]) => number) => median(rounds.map(value))
  const servers = names.map((name, index) => ({
    name,
    rate: each((round) => round[index]!.rate),
    p99_ms: each((round) => round[index]!.p99),
    cpu_us_per_request: each((round) => round[index]!.cpu),
  }))
  const ratios = names.slice(0, -1).map((name, index) => ({
    name,
    rate: each((round) => round[last]!.rate / round[index]!.rate),
    cpu: each((round) => round[index]!.cpu / round[last]!.cpu),
  }))
  const judged = ratios.find(({ name }) => name === 'minimal')
  // Judges reads by CPU time, because the load generator limits their rate. Judges writes by rate, because
  // CPU time does not include waiting for the disk.
  const value = judged?.[row.method === 'GET' ? 'cpu' : 'rate']
  const target = engine === 'sqlite' && value !== undefined ? (row.target ?? null) : null
  const is_missed = target !== null && value !== undefined && value < target
  return { name: row.name, servers, ratios, target, is_missed }
}

function toLine({ name, servers, ratios, target, is_missed }: Summary): string[] {
  return [
    name,
    ...servers.map(({ rate }) => rate.toFixed(0)),
    ...ratios.flatMap(({ rate, cpu }) => [rate.toFixed(2), cpu.toFixed(2)]),
    ...servers.map(({ p99_ms }) => `${p99_ms} ms`),
    ...servers.map(({ cpu_us_per_request: us }) => (us ? `${us.toFixed(0)} µs` : '')),
    target === null ? '' : `${target.toFixed(2)}${is_missed ? ' MISSED' : ''}`,
  ]
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}
