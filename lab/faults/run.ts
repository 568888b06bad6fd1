/**
 * Runs faults against servers and checks the data afterwards: `npm run faults [-- NAME...] [--engine
 * sqlite|postgres] [--rounds N] [--short]`. Exits with 1 when a property does not hold.
 */
import { parseArgs } from 'node:util'
import type { Engine } from '../../src/db/statement.ts'
import {
  DURABLE,
  findPostgres,
  type PrivatePostgres,
  startPrivatePostgres,
} from '../../scripts/postgres.ts'
import type { Fault } from './fault.ts'
import { ENGINES, type Findings, Harness, isSound, noFindings } from '../harness/harness.ts'
import { badFile } from './bad-file.ts'
import { clockJump } from './clock-jump.ts'
import { connectionCuts } from './connection-cuts.ts'
import { databaseRestart, databaseStopped } from './database-away.ts'
import { diskFull } from './disk-full.ts'
import { gracefulStop } from './graceful-stop.ts'
import { interruptedMigration } from './interrupted-migration.ts'
import { interruptedRestore } from './interrupted-restore.ts'
import { ioErrors } from './io-errors.ts'
import { killJobs } from './kill-jobs.ts'
import { killMedia } from './kill-media.ts'
import { killUnderLoad } from './kill-under-load.ts'
import { logClosed } from './log-closed.ts'
import { noDescriptors } from './no-descriptors.ts'
import { restartStorm, twoProcesses } from './restarts.ts'
import { syncs } from './syncs.ts'
import { tornLog } from './torn-log.ts'

interface Line {
  fault: string
  engine: Engine
  rounds: number
  findings: Findings
  verdict: string
}

const FAULTS: readonly Fault[] = [
  killUnderLoad,
  killMedia,
  killJobs,
  gracefulStop,
  restartStorm,
  twoProcesses,
  syncs,
  tornLog,
  ioErrors,
  diskFull,
  databaseRestart,
  databaseStopped,
  connectionCuts,
  clockJump,
  interruptedMigration,
  interruptedRestore,
  badFile,
  logClosed,
  noDescriptors,
]

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
    const postgres = target === 'postgres' ? await startPrivatePostgres(DURABLE) : undefined
    try {
      for (const fault of faults) {
        if (fault.engines && !fault.engines.includes(target)) continue
        const many = rounds || fault.rounds[isShort ? 'short' : 'full']
        const line = await tryOne(fault, target, postgres, many)
        lines.push(line)
        report(line)
      }
    } finally {
      await postgres?.stop()
    }
  }
  console.table(lines.map(toRow))
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
    return isKnown && { names, engine, rounds: rounds && Number(rounds), isShort }
  } catch {
    return false
  }
}

async function tryOne(
  fault: Fault,
  engine: Engine,
  postgres: PrivatePostgres | undefined,
  rounds: number,
): Promise<Line> {
  const { name } = fault
  const missing = fault.missing?.()
  if (missing) {
    const verdict = `skipped: ${missing}`
    return { fault: name, engine, rounds: 0, findings: noFindings(), verdict }
  }
  const harness = await Harness.make(postgres)
  const { findings } = harness
  try {
    const started = performance.now()
    await fault.run(harness, rounds).catch((error: unknown) => {
      const stack = error instanceof Error && error.stack
      findings.broken.push(stack || String(error))
    })
    findings.notes.push(`${((performance.now() - started) / 1000).toFixed(0)} s`)
    const verdict = isSound(findings) ? 'holds' : 'broken'
    return { fault: name, engine, rounds, findings, verdict }
  } finally {
    await harness.close()
  }
}

function toRow({ fault, engine, rounds, findings, verdict }: Line) {
  const { acknowledged, lost, duplicated, corrupt, drift } = findings
  return { fault, engine, rounds, acknowledged, lost, duplicated, corrupt, drift, verdict }
}

function report({ fault, engine, findings, verdict }: Line): void {
  console.log(`${fault} on ${engine}: ${verdict}`)
  for (const note of findings.notes) console.log(`    ${note}`)
  for (const text of findings.broken.slice(0, 20)) console.log(`    ! ${text}`)
}
