import type { Earlier } from '../backup/load.ts'

export function reportEarlier({ isResumed, reached: { table, rows } }: Earlier): void {
  const place = table ? `${rows.toLocaleString('en')} rows of ${table}` : 'no rows'
  console.log(
    isResumed
      ? `an earlier attempt was interrupted: resuming it (so far ${place})`
      : `an unfinished restore or copy from another source was found (so far ${place}): its rows are deleted, and this one starts over`,
  )
}

/**
 * Returns a function that shows progress. It redraws one line on a terminal, and otherwise prints one line per
 * step.
 */
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

export function endSteps(): void {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
}

export function toMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

export function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1)
}
