/**
 * Measures the processor time of the programs that a job starts. The meter travels in the asynchronous
 * context, so no caller can forget to count a program.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { readdir, readFile } from 'node:fs/promises'

interface Group {
  /** Time of the last sample by the monotonic clock. */
  sampledAt: number
  usedMs: number
}

/** Milliseconds in one clock tick of `/proc`. Linux reports 100 ticks a second everywhere. */
const TICK_MS = 10

export class Meter {
  readonly nice: number
  #endedMs = 0
  readonly #groups = new Map<number, Group>()

  constructor(nice: number) {
    this.nice = nice
  }

  /** Processor time until the last sample, in milliseconds. */
  get usedMs(): number {
    return [...this.#groups.values()].reduce((sum, { usedMs }) => sum + usedMs, this.#endedMs)
  }

  /**
   * Starts to count the processes of a group. The returned function stops counting and accepts the exact
   * time in milliseconds. Without it, the time since the last sample counts as fully used by one processor.
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

  /** Samples all running groups. Without `/proc`, elapsed time counts instead. */
  async sample(): Promise<void> {
    if (this.#groups.size === 0) return
    const used = await readGroups()
    const now = performance.now()
    for (const [id, group] of this.#groups) {
      const usedMs = used ? (used.get(id) ?? 0) : group.usedMs + now - group.sampledAt
      // The sum can shrink when a process ends before its parent has collected its time.
      group.usedMs = Math.max(group.usedMs, Math.round(usedMs))
      group.sampledAt = now
    }
  }
}

/** The meter of the job in which the caller runs. */
export const currentMeter = new AsyncLocalStorage<Meter>()

/** Milliseconds of processor time by process group, including ended children. Undefined without `/proc`. */
async function readGroups(): Promise<Map<number, number> | undefined> {
  const names = await readdir('/proc').catch(() => [])
  const stats = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')),
  )
  const groups = new Map<number, number>()
  for (const stat of stats) {
    // The program name is in parentheses and may contain any character.
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
