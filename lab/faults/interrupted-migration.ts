import type { Fault } from './fault.ts'
import { Harness } from '../harness/harness.ts'
import { copyAtSchema } from '../../test/earlier.ts'
import { digestTables, fillDemo, interrupt, keep } from './tables.ts'

const AT_ONCE = 4
/** First released schema version. */
const SCHEMA = 6

export const interruptedMigration: Fault = {
  name: 'interrupted-migration',
  promise: 'completes a killed migration at the next run and keeps all rows',
  rounds: { full: 100, short: 3 },
  async run(harness, rounds) {
    const { findings } = harness
    const full = await Harness.make(harness.postgres)
    harness.atEnd(() => full.close())
    await fillDemo(full, rounds > 10 ? 400 : 40)
    await full.withDatabase((from) => harness.withDatabase((to) => copyAtSchema(from, to, SCHEMA)))
    const putBack = await keep(harness)
    let interrupted = 0
    // Measures an uninterrupted migration first, because the kills are spread over its duration.
    const started = performance.now()
    const expected = await finish(harness)
    const whole = performance.now() - started
    for (let round = 0; round < rounds; round++) {
      await putBack()
      const signal = round % 2 === 0 ? 'SIGKILL' : 'SIGTERM'
      if (await interrupt(harness, ['migrate'], (whole * (round + 0.5)) / rounds, signal))
        interrupted++
      if ((await finish(harness)) !== expected) {
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
    const newest = await harness.number('select max(number) from schema_migrations')
    if (applied !== newest - SCHEMA) {
      findings.broken.push(
        `${applied} migrations were applied in total, ${newest - SCHEMA} were missing`,
      )
    }
    await refuseNewer(harness, newest)
    findings.notes.push(
      `${interrupted} of ${rounds} runs interrupted; a migration from schema ${SCHEMA} to ${newest} takes ${whole.toFixed(0)} ms`,
    )
  },
}

async function finish(harness: Harness): Promise<string> {
  const { code, out } = await harness.plaza(['migrate'])
  if (code !== 0) harness.findings.broken.push(`a migration failed: ${out}`)
  return digestTables(harness)
}

async function refuseNewer(harness: Harness, newest: number): Promise<void> {
  await harness.sql(
    `insert into schema_migrations (number, name, applied_at) values (${newest + 1}, 'later', 1)`,
  )
  const { code, out } = await harness.plaza(['serve'], { PORT: '0' })
  if (code === 0 || !out.includes('start the version that made it')) {
    harness.findings.broken.push(`a newer schema was not rejected: ${out}`)
  }
  await harness.sql(`delete from schema_migrations where number = ${newest + 1}`)
}
