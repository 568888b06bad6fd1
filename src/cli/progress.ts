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
