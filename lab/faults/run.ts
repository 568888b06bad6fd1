/**
 * Runs faults against servers and checks the data afterwards: `npm run faults [-- NAME...] [--engine
 * sqlite|postgres] [--rounds N] [--short]`. Exits with 1 when a property does not hold.
 */
import { parseArgs } from 'node:util'
import type { Engine } from '../../src/db/statement.ts'
import { findPostgres } from '../../scripts/postgres.ts'
import type { Fault } from './fault.ts'
import { type Findings, isSound, noFindings } from './harness/findings.ts'
import { Harness } from './harness/harness.ts'
import { PostgresServer } from './harness/postgres.ts'
import { FAULTS } from './list.ts'

interface Line {
  fault: string
  engine: Engine
  rounds: number
  findings: Findings
  verdict: string
}

const COLUMNS = ['acknowledged', 'lost', 'duplicated', 'corrupt', 'drift'] as const
const ENGINES: readonly Engine[] = ['sqlite', 'postgres']
const USAGE = `Usage: npm run faults [-- NAME...] [--engine sqlite|postgres] [--rounds N] [--short]
Faults: ${FAULTS.map(({ name }) => name).join(' ')}`

process.exit(await main())

async function main(): Promise<number> {
  const options = readOptions()
  if (!options) {
    console.error(USAGE)
    return 2
  }
  const { names, engine, rounds, isShort } = options
  const faults = FAULTS.filter(({ name }) => names.length === 0 || names.includes(name))
  const lines: Line[] = []
  for (const target of ENGINES.filter((name) => engine === undefined || name === engine)) {
    if (target === 'postgres' && !findPostgres()) {
      console.log('skipping PostgreSQL: not installed')
      continue
    }
    const postgres = target === 'postgres' ? await PostgresServer.create() : undefined
    try {
      for (const fault of faults) {
        if (fault.engines && !fault.engines.includes(target)) continue
        const many = rounds ?? fault.rounds[isShort ? 'short' : 'full']
        const line = await tryOne(fault, target, postgres, many)
        lines.push(line)
        report(line)
      }
    } finally {
      await postgres?.remove()
    }
  }
  console.log(`\n${table(lines)}`)
  return lines.some(({ verdict }) => verdict === 'broken') ? 1 : 0
}

function readOptions() {
  try {
    const { values, positionals: names } = parseArgs({
      allowPositionals: true,
      options: {
        engine: { type: 'string' },
        rounds: { type: 'string' },
        short: { type: 'boolean', default: false },
      },
    })
    const { engine, rounds, short: isShort } = values
    const isKnown =
      names.every((name) => FAULTS.some((fault) => fault.name === name)) &&
      (engine === undefined || ENGINES.includes(engine as Engine)) &&
      (rounds === undefined || /^[1-9]\d{0,5}$/.test(rounds))
    return isKnown
      ? { names, engine, rounds: rounds ? Number(rounds) : undefined, isShort }
      : undefined
  } catch {
    return undefined
  }
}

async function tryOne(
  fault: Fault,
  engine: Engine,
  postgres: PostgresServer | undefined,
  rounds: number,
): Promise<Line> {
  const missing = fault.missing?.()
  const line = { fault: fault.name, engine, rounds, findings: noFindings() }
  if (missing) return { ...line, rounds: 0, verdict: `skipped: ${missing}` }
  const started = performance.now()
  const harness = await Harness.make(postgres)
  try {
    line.findings = await fault.run(harness, rounds)
  } catch (error) {
    line.findings.broken.push(
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    )
  } finally {
    await harness.close()
  }
  line.findings.notes.push(`${((performance.now() - started) / 1000).toFixed(0)} s`)
  return { ...line, verdict: isSound(line.findings) ? 'holds' : 'broken' }
}

function report({ fault, engine, findings, verdict }: Line): void {
  console.log(`${fault} on ${engine}: ${verdict}`)
  for (const note of findings.notes) console.log(`    ${note}`)
  for (const text of findings.broken.slice(0, 20)) console.log(`    ! ${text}`)
}

function table(lines: readonly Line[]): string {
  const rows = [
    ['fault', 'engine', 'rounds', ...COLUMNS, 'verdict'],
    ...lines.map(({ fault, engine, rounds, findings, verdict }) => [
      fault,
      engine,
      String(rounds),
      ...COLUMNS.map((name) => String(findings[name])),
      verdict,
    ]),
  ]
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  const toLine = (row: string[]) =>
    `| ${row.map((text, i) => (i < 2 || i === 8 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, i) =>
    i < 2 || i === 8 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [toLine(rows[0] ?? []), toLine(rule), ...rows.slice(1).map(toLine)].join('\n')
}
