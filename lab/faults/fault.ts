import type { Engine } from '../../src/db/statement.ts'
import type { Findings } from './harness/findings.ts'
import type { Harness } from './harness/harness.ts'

export interface Fault {
  name: string
  /** Property that must hold, as a phrase that begins with a verb. */
  promise: string
  engines?: readonly Engine[]
  rounds: { full: number; short: number }
  /** Returns the missing requirement, or undefined when this machine has everything that the fault needs. */
  missing?(): string | undefined
  run(harness: Harness, rounds: number): Promise<Findings>
}
