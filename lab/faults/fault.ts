import { spawnSync } from 'node:child_process'
import type { Engine } from '../../src/db/statement.ts'
import type { Harness } from '../harness/harness.ts'

export interface Fault {
  name: string
  /** Property that must hold, as a phrase that begins with a verb. */
  promise: string
  engines?: readonly Engine[]
  rounds: { full: number; short: number }
  /** Returns the missing requirement, or undefined when this machine has everything that the fault needs. */
  missing?(): string | undefined
  /** Injects the fault and adds the results to `harness.findings`. */
  run(harness: Harness, rounds: number): Promise<void>
}

export function needsRoot(): string | undefined {
  return process.getuid?.() === 0 ? undefined : 'needs root'
}

/** Returns a check for root and for a program that prints its version with `-V`. */
export const needsRootAnd = (program: string) => () =>
  spawnSync(program, ['-V']).status === 0 ? needsRoot() : `needs ${program}`
