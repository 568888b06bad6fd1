/**
 * `npm run shards [-- --members N --shards N --buckets N --seed N]` simulates how evenly rows are spread over shards.
 * `npm run shards -- --estimates` prints the rows, bytes and writes of each table. docs/scaling.md contains both
 * outputs.
 */
import { parseArgs } from 'node:util'
import { BLOAT, PEAK, TABLES, type TableModel } from './model.ts'
import { estimate, simulate } from './simulate.ts'

const USAGE =
  'Usage: npm run shards [-- --members N --shards N --buckets N --seed N] or npm run shards -- --estimates'

const options = readOptions()
if (!options) process.exit(2)
const { members, shards, buckets, seed, estimates } = options
if (estimates) printEstimates()
else printBalance()

function printBalance(): void {
  console.log(
    `${short(members)} members, ${shards} shards of ${buckets} buckets, seed ${seed}. Skew: the largest shard divided by the average shard.\n`,
  )
  print(
    [
      'Table',
      'Key',
      'Rows per shard',
      'Bytes per shard',
      'Row skew',
      'Write skew',
      'Hottest key: rows',
      'writes',
    ],
    simulate({ members, shards, buckets, seed }).map((balance) => [
      balance.table,
      balance.isTaken ? `**${balance.column}**` : balance.column,
      short(balance.rows),
      short(balance.bytes),
      balance.rowSkew.toFixed(2),
      balance.writeSkew.toFixed(2),
      percent(balance.hottestRows),
      percent(balance.hottestWrites),
    ]),
  )
}

function printEstimates(): void {
  const communities = [1_000_000, 100_000_000]
  console.log(
    `Bytes include indexes and are ${BLOAT} times the size of freshly written rows. Peak is ${PEAK} times the average.\n`,
  )
  const tables = Object.entries(TABLES).filter(([, { key }]) => key !== null)
  const row = (name: string, models: TableModel[]) => [
    name,
    ...communities.flatMap((size) => {
      const sizes = models.map((model) => estimate(model, size))
      const sum = (field: (estimate: (typeof sizes)[number]) => number) =>
        short(sizes.reduce((total, entry) => total + field(entry), 0))
      return [sum((e) => e.rows), sum((e) => e.bytes), sum((e) => e.peakWritesPerSecond)]
    }),
  ]
  print(
    ['Table', '1 M: rows', 'bytes', 'writes/s at peak', '100 M: rows', 'bytes', 'writes/s at peak'],
    [
      ...tables.map(([name, model]) => row(`${name}${model.isMeasured ? '' : ' *'}`, [model])),
      row(
        '**all**',
        tables.map(([, model]) => model),
      ),
    ],
  )
  console.log('\n\\* bytes per row are assumed, not measured')
}

function print(head: string[], rows: string[][]): void {
  for (const cells of [head, head.map(() => '---'), ...rows])
    console.log(`| ${cells.join(' | ')} |`)
}

function short(value: number): string {
  for (const [unit, size] of [
    ['T', 1e12],
    ['G', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ] as const) {
    if (value >= size) return `${(value / size).toPrecision(value >= 100 * size ? 3 : 2)} ${unit}`
  }
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2)
}

function percent(share: number): string {
  return `${(share * 100).toPrecision(2)} %`
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        members: { type: 'string', default: '1000000' },
        shards: { type: 'string', default: '32' },
        buckets: { type: 'string', default: '1024' },
        seed: { type: 'string', default: '1' },
        estimates: { type: 'boolean', default: false },
      },
    })
    const { estimates: areEstimates, ...figures } = values
    const counts = Object.entries(figures).map(([name, text]) => {
      if (/^[1-9]\d{0,8}$/.test(text)) return [name, Number(text)]
      throw new Error(`not a positive integer: ${text}`)
    })
    return {
      estimates: areEstimates,
      ...(Object.fromEntries(counts) as Record<keyof typeof figures, number>),
    }
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`)
    return undefined
  }
}
