import type { Earlier } from '../backup/load.ts'

/** Says what a restore or a copy found that had not come to its end, and what became of it. */
export function tellEarlier({ isGoneOnWith, reached: { table, rows } }: Earlier): void {
  const place = table ? `${rows.toLocaleString('en')} rows of ${table}` : 'no row'
  console.log(
    isGoneOnWith
      ? `an earlier attempt did not come to its end: this one goes on (so far ${place})`
      : `an unfinished restore or copy from another source was found (so far ${place}): what it had filled is taken away, and this one begins anew`,
  )
}

/** Says how far a long command is: one line that is drawn over again, or a line for each step. */
export function showSteps(): (step: string, done: number) => void {
  let current = ''
  let shownAt = 0
  return (step, done) => {
    const isNew = step !== current
    current = step
    if (!process.stdout.isTTY) return isNew ? console.log(step) : undefined
    const now = Date.now()
    if (!isNew && now - shownAt < 100) return
    shownAt = now
    process.stdout.write(`\r\x1b[K${step}: ${done.toLocaleString('en')}`)
  }
}

/** Ends the line that is drawn over. */
export function endSteps(): void {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
}

export function toMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** Since a reading of the monotonic clock. */
export function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1)
}
