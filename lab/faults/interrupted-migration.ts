import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childEnv } from '../../test/process.ts'
import type { Fault } from './fault.ts'
import { type Findings, noFindings } from './harness/findings.ts'
import { Harness } from './harness/harness.ts'
import { digestTables, fillDemo, fillEarlier, keep } from './harness/tables.ts'

const ENTRY = resolve(import.meta.dirname, '../../bin/plaza.mjs')
const AT_ONCE = 4
/** First released schema version. */
const SCHEMA = 6

export const interruptedMigration: Fault = {
  name: 'interrupted-migration',
  promise: 'completes a killed migration at the next run and keeps all rows',
  rounds: { full: 100, short: 3 },
  async run(harness, rounds) {
    const findings = noFindings()
    const full = await Harness.make(harness.postgres)
    harness.atEnd(() => full.close())
    await fillDemo(full, rounds > 10 ? 400 : 40)
    await fillEarlier(full, harness, SCHEMA)
    const putBack = await keep(harness)
    let interrupted = 0
    // Measures an uninterrupted migration first, because the kills are spread over its duration.
    const started = performance.now()
    const expected = await finish(harness, findings)
    const whole = performance.now() - started
    for (let round = 0; round < rounds; round++) {
      await putBack()
      const child = spawn(process.execPath, [ENTRY, 'migrate'], { env: childEnv(harness.settings) })
      child.stdout.resume()
      const ended = once(child, 'exit')
      await Promise.race([ended, sleep((whole * (round + 0.5)) / rounds)])
      if (child.exitCode === null) interrupted++
      child.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
      await ended
      if ((await finish(harness, findings)) !== expected) {
        findings.corrupt++
        findings.broken.push('the rows differ from those of an uninterrupted migration')
      }
      if (findings.broken.length > 10) break
    }
    await putBack()
    const together = await Promise.all(
      Array.from({ length: AT_ONCE }, () => harness.plaza(['migrate'])),
    )
    for (const { code, out } of together)
      if (code !== 0) findings.broken.push(`concurrent migration: ${out}`)
    const applied = together.reduce((sum, { out }) => sum + out.split('applied ').length - 1, 0)
    const [row] = await harness.sql('select max(number) as number from schema_migrations')
    const newest = Number(row?.['number'])
    if (applied !== newest - SCHEMA) {
      findings.broken.push(
        `${applied} migrations were applied in total, ${newest - SCHEMA} were missing`,
      )
    }
    await refuseNewer(harness, findings, newest)
    findings.notes.push(
      `${interrupted} of ${rounds} runs interrupted; a migration from schema ${SCHEMA} to ${newest} takes ${whole.toFixed(0)} ms`,
    )
    return findings
  },
}

async function finish(harness: Harness, findings: Findings): Promise<string> {
  const { code, out } = await harness.plaza(['migrate'])
  if (code !== 0) findings.broken.push(`a migration failed: ${out}`)
  return digestTables(harness)
}

async function refuseNewer(harness: Harness, findings: Findings, newest: number): Promise<void> {
  await harness.sql(
    `insert into schema_migrations (number, name, applied_at) values (${newest + 1}, 'later', 1)`,
  )
  const { code, out } = await harness.plaza(['serve'], { PORT: '0' })
  if (code === 0 || !out.includes('start the version that made it')) {
    findings.broken.push(`a newer schema was not rejected: ${out}`)
  }
  await harness.sql(`delete from schema_migrations where number = ${newest + 1}`)
}
