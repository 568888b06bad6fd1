/** What a fault of the harness is: something that happens to a server, and what must hold then. */
import type { Engine } from '../src/db/statement.ts'
import type { Findings } from './ground/findings.ts'
import type { Ground } from './ground/ground.ts'

export interface Fault {
  name: string
  /** What holds whatever happens, as a sentence. */
  promise: string
  /** Both unless given. */
  engines?: readonly Engine[]
  rounds: { full: number; short: number }
  /** What this machine lacks for it; undefined where it can be done. */
  missing?(): string | undefined
  run(ground: Ground, rounds: number): Promise<Findings>
}
