import { AsyncLocalStorage } from 'node:async_hooks'
import { readdir, readFile } from 'node:fs/promises'

interface Group {
  sampledAt: number
  usedMs: number
}

/**
 * Milliseconds per clock tick in `/proc`. Linux reports 100 ticks per second on all processors that Node
 * supports.
 */
const TICK_MS = 10

/**
 * Measures the processor time of a job: of its programs, and of work in this process that is reported with
 * `add`.
 */
export class Meter {
  readonly nice: number
  #endedMs = 0
  readonly #groups = new Map<number, Group>()

  constructor(nice: number) {
    this.nice = nice
  }

  get usedMs(): number {
    return [...this.#groups.values()].reduce((sum, { usedMs }) => sum + usedMs, this.#endedMs)
  }

  /**
   * Starts measuring a process group, and returns a function that stops. That function accepts the exact
   * processor time in milliseconds. Without this argument, the time since the last sample
   * counts as processor time.
   */
  watch(groupId: number): (exactMs?: number) => void {
    const group = { sampledAt: performance.now(), usedMs: 0 }
    this.#groups.set(groupId, group)
    return (exactMs) => {
      if (!this.#groups.delete(groupId)) return
      const sinceMs = performance.now() - group.sampledAt
      this.#endedMs += Math.round(exactMs ?? group.usedMs + sinceMs)
    }
  }

  /** Adds milliseconds of processor time that the job used in this process. */
  add(ms: number): void {
    this.#endedMs += Math.round(ms)
  }

  /** Measures the processor time of all running groups. Without `/proc`, counts the elapsed time instead. */
  async sample(): Promise<void> {
    if (this.#groups.size === 0) return
    const used = await readGroups()
    const now = performance.now()
    for (const [id, group] of this.#groups) {
      const usedMs = used ? (used.get(id) ?? 0) : group.usedMs + now - group.sampledAt
      // Keeps the highest sum. The sum shrinks while a parent has not yet collected the time of an ended
      // child process.
      group.usedMs = Math.max(group.usedMs, Math.round(usedMs))
      group.sampledAt = now
    }
  }
}

/** Meter of the current job. `runProgram` reads it, so that callers need not pass it along. */
export const currentMeter = new AsyncLocalStorage<Meter>()

/**
 * Returns the processor time in milliseconds by process group id, including ended children. Returns undefined without
 * `/proc`.
 */
async function readGroups(): Promise<Map<number, number> | undefined> {
  const names = await readdir('/proc').catch(() => [])
  const stats = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')),
  )
  const groups = new Map<number, number>()
  for (const stat of stats) {
    // Skips the program name, which is in parentheses and may contain any character.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, , groupId] = fields
    if (groupId === undefined) continue
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0)
    groups.set(groupId, (groups.get(groupId) ?? 0) + ticks * TICK_MS)
  }
  return groups.size > 0 ? groups : undefined
}
