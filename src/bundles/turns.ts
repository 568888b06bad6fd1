/** Runs so many at once, and the others after them in the order they came. */
export function inTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < most) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes straight to the next, so that nobody who comes now is before them.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
