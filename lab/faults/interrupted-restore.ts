import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from './fault.ts'
import { Harness } from '../harness/harness.ts'
import { digestTables, empty, fillDemo, interrupt } from './tables.ts'

export const interruptedRestore: Fault = {
  name: 'interrupted-restore',
  promise: 'serves nothing after a killed restore and completes it at the next run',
  rounds: { full: 40, short: 2 },
  async run(harness, rounds) {
    const { findings } = harness
    const full = await Harness.make(harness.postgres)
    harness.atEnd(() => full.close())
    await fillDemo(full, rounds > 10 ? 200 : 30)
    // Computes the digests before the backup, because `plaza backup` stores its own time in the database.
    const expected = await digestTables(full)
    const backup = join(harness.folder, 'backup.tar')
    const taken = await full.plaza(['backup', backup])
    if (taken.code !== 0) findings.broken.push(`plaza backup: ${taken.out}`)
    const started = performance.now()
    const first = await harness.plaza(['restore', backup])
    const whole = performance.now() - started
    if (first.code !== 0) findings.broken.push(`plaza restore: ${first.out}`)
    let refused = 0
    let interrupted = 0
    for (let round = 0; round < rounds; round++) {
      rmSync(harness.dataDir, { recursive: true, force: true })
      await empty(harness)
      const isCut = await interrupt(
        harness,
        ['restore', backup],
        (whole * (round + 0.5)) / rounds,
        'SIGKILL',
      )
      if (isCut) {
        interrupted++
        // `doctor` may find no database or a complete one, because the kill may precede or follow the restore.
        const looked = await harness.plaza(['doctor', '--json'])
        const hasNone = /there is no database in|the database has no schema/.test(looked.out)
        if (looked.out.includes('restore')) refused++
        else if (!hasNone && looked.code !== 0 && !looked.out.includes('"damage":[]')) {
          findings.broken.push(`an incomplete restore was accepted as a database: ${looked.out}`)
        }
        if (looked.code === 0) {
          if ((await digestTables(harness)) !== expected) {
            findings.broken.push(`plaza doctor accepted an incomplete restore: ${looked.out}`)
          }
          await empty(harness)
        }
      }
      const again = isCut ? await harness.plaza(['restore', backup]) : { code: 0, out: '' }
      if (again.code !== 0) findings.broken.push(`the second restore failed: ${again.out}`)
      if ((await digestTables(harness)) !== expected) {
        findings.corrupt++
        findings.broken.push('the restored rows differ from the backup')
      }
      if (findings.broken.length > 10) break
    }
    // A restore must not change a database that already contains data.
    const before = await digestTables(harness)
    const over = await harness.plaza(['restore', backup])
    if (over.code === 0 || (await digestTables(harness)) !== before) {
      findings.broken.push(`a restore changed a database in use: ${over.code} ${over.out}`)
    }
    await harness.doctor()
    findings.notes.push(
      `${interrupted} of ${rounds} runs interrupted, ${refused} of them left a database that is rejected; a restore takes ${whole.toFixed(0)} ms`,
    )
  },
}
