/**
 * Measures the processor time of the programs that a job starts. The job in which a program is started
 * is known by the asynchronous context, so that no caller can forget to count one.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { readdir, readFile } from 'node:fs/promises'

interface Group {
  /** When it was last looked at, by the monotonic clock, and how much it had used until then. */
  sampledAt: number
  usedMs: number
}

/** Milliseconds of a clock tick in `/proc`: 100 ticks a second on every Linux. */
const TICK_MS = 10

export class Meter {
  /** Niceness of the job's programs. */
  readonly nice: number
  #endedMs = 0
  readonly #groups = new Map<number, Group>()

  constructor(nice: number) {
    this.nice = nice
  }

  /** Processor time until the last look, in milliseconds. */
  get usedMs(): number {
    return [...this.#groups.values()].reduce((sum, { usedMs }) => sum + usedMs, this.#endedMs)
  }

  /**
   * Counts the processes of a group, which has just started. The function it returns ends that: it
   * takes the exact time in milliseconds where that is known; otherwise the time since the last look
   * counts as if one processor had worked throughout.
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

  /** Looks at all that run. Without `/proc`, time that passes counts instead. */
  async look(): Promise<void> {
    if (this.#groups.size === 0) return
    const used = await readGroups()
    const now = performance.now()
    for (const [id, group] of this.#groups) {
      const usedMs = used ? (used.get(id) ?? 0) : group.usedMs + now - group.sampledAt
      // Less than before: processes have ended whose time their parents have not been given.
      group.usedMs = Math.max(group.usedMs, Math.round(usedMs))
      group.sampledAt = now
    }
  }
}

/** The meter of the job in which the caller runs. */
export const currentMeter = new AsyncLocalStorage<Meter>()

/** Milliseconds of processor time of each process group, ended children included. */
async function readGroups(): Promise<Map<number, number> | undefined> {
  const names = await readdir('/proc').catch(() => [])
  const stats = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')),
  )
  const groups = new Map<number, number>()
  for (const stat of stats) {
    // The name of the program, in parentheses, may hold anything.
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
