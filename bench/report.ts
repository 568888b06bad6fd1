/** Prints the results of the comparison with the other servers. */
import { availableParallelism } from 'node:os'
import { VERSION } from '../src/version.ts'
import type { Rate } from './load.ts'
import type { Row } from './rows.ts'

export interface Setup {
  engine: 'sqlite' | 'postgres'
  seconds: number
  rounds: number
  connections: number
}

export interface Measured {
  row: Row
  /** Rates of servers a, b and c in each round. */
  rounds: [Rate, Rate, Rate][]
}

/** Prints the results as a table or as JSON. Targets apply only to SQLite. */
export function report(setup: Setup, measured: Measured[], json: boolean): void {
  const rows = measured.map((row) => summarise(row, setup.engine === 'sqlite'))
  if (json) {
    console.log(
      JSON.stringify({ version: VERSION, node: process.versions.node, ...setup, rows }, null, 2),
    )
    return
  }
  const { engine, connections, rounds, seconds } = setup
  console.log(
    `Plaza ${VERSION} on ${engine}, Node ${process.versions.node}, ${availableParallelism()} processors, ` +
      `${connections} connections, median of ${rounds} rounds of ${seconds} s`,
  )
  console.log(
    'a: bare route with constant bytes; b: hand-written handlers; c: Plaza; cpu: CPU time per request\n' +
      'Targets of writes apply to c/b, because the disk limits their rate; targets of reads to cpu b/c, because the load generator limits theirs\n',
  )
  const lines = [HEAD, ...rows.map(toLine)]
  const widths = HEAD.map((_, at) => Math.max(...lines.map((line) => (line[at] as string).length)))
  for (const line of lines) {
    const [name = '', ...cells] = line.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] as number) : cell.padStart(widths[at] as number),
    )
    console.log([name, ...cells].join('  ').trimEnd())
  }
  if (engine !== 'sqlite') return
  const missed = rows.filter(({ is_missed }) => is_missed)
  console.log(missed.length > 0 ? `\n${missed.length} rows below target` : '\nNo row below target')
}

const SERVERS = [0, 1, 2] as const

const HEAD = [
  '',
  ...['a', 'b', 'c'].map((server) => `${server} req/s`),
  'c/b',
  'cpu b/c',
  'c/a',
  'b/a',
  'target',
  ...['a', 'b', 'c'].map((server) => `${server} p99`),
  ...['a', 'b', 'c'].map((server) => `${server} cpu`),
  '',
]

type Summary = ReturnType<typeof summarise>

function summarise({ row, rounds }: Measured, hasTarget: boolean) {
  const each = (figure: keyof Rate) => {
    const [a, b, c] = SERVERS.map((at) => median(rounds.map((round) => round[at][figure])))
    return { a, b, c } as Record<'a' | 'b' | 'c', number>
  }
  const ratio = (of: 0 | 1 | 2, to: 0 | 1 | 2) =>
    median(rounds.map((round) => round[of].rate / round[to].rate))
  const ratios = {
    'c/b': ratio(2, 1),
    'cpu b/c': median(rounds.map((round) => round[1].cpu / round[2].cpu)),
    'c/a': ratio(2, 0),
    'b/a': ratio(1, 0),
  }
  const judged = ratios[row.method === 'GET' ? 'cpu b/c' : 'c/b']
  return {
    name: row.name,
    requests_per_second: each('rate'),
    ratios,
    target: hasTarget ? row.target : null,
    is_missed: hasTarget && judged < row.target,
    p99_ms: each('p99'),
    cpu_us_per_request: each('cpu'),
  }
}

function toLine(row: Summary): string[] {
  return [
    row.name,
    ...Object.values(row.requests_per_second).map((rate) => rate.toFixed(0)),
    ...Object.values(row.ratios).map((ratio) => ratio.toFixed(2)),
    row.target === null ? '' : row.target.toFixed(2),
    ...Object.values(row.p99_ms).map((ms) => `${ms} ms`),
    ...Object.values(row.cpu_us_per_request).map((us) => (us ? `${us.toFixed(0)} µs` : '')),
    row.is_missed ? 'MISSED' : '',
  ]
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}
