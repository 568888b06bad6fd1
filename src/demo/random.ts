export interface Random {
  next(): number
  /** Both bounds are inclusive. */
  integer(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Exponentially distributed: mostly below the mean, rarely far above. */
  exponential(mean: number): number
}

/** The mulberry32 generator by Tommy Ettinger. Its 32 bits of state are enough for the demo. */
export function seeded(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => {
      const picked = list[Math.floor(next() * list.length)]
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
    exponential: (mean) => -Math.log(1 - next()) * mean,
  }
}

/** Returns a function that picks items with probabilities proportional to their weights. */
export function weighted<T>(
  random: Random,
  list: readonly T[],
  weightOf: (item: T) => number,
): () => T {
  const sums: number[] = []
  let sum = 0
  for (const item of list) sums.push((sum += weightOf(item)))
  return () => {
    const wanted = random.next() * sum
    return list[sums.findIndex((upTo) => upTo > wanted)] as T
  }
}

export function inTurns(random: Random): <T>(list: readonly T[]) => T {
  const picked = new Map<unknown, number>()
  let turn = 0
  return (list) => {
    const when = (item: unknown) => picked.get(item) ?? -1
    const rested = list.toSorted((a, b) => when(a) - when(b)).slice(0, Math.ceil(list.length / 2))
    const fresh = rested.filter((item) => when(item) < 0)
    const item = random.pick(fresh.length > 0 ? fresh : rested)
    picked.set(item, turn++)
    return item
  }
}

/** Divides `total` by a Zipf-Mandelbrot distribution: a few large shares first, many small ones last. */
export function longTail(count: number, total: number): number[] {
  const weights = Array.from({ length: count }, (_, rank) => (rank + count / 300 + 1) ** -0.9)
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => (weight * total) / sum)
}

export function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const order = list.map((item) => ({ item, key: random.next() }))
  return order.sort((a, b) => a.key - b.key).map(({ item }) => item)
}

/** Calls `make` `count` times and returns the results. `share` is 0 for the first call and 1 for the last. */
export function times<T>(count: number, make: (index: number, share: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index, index / Math.max(1, count - 1)))
}
