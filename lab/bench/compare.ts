import { median } from '../../bench/report.ts'
import { type PlazaServer, startPlaza } from '../../bench/servers.ts'
import type { Harness } from '../harness/harness.ts'

/** Measures two subjects alternately, so that other load on the machine affects both. Returns one pair per round. */
export async function alternate<T>(
  rounds: number,
  measure: (index: 0 | 1, round: number) => Promise<T>,
): Promise<[T, T][]> {
  const pairs: [T, T][] = []
  for (let round = 0; round < rounds; round++) {
    const pair: T[] = []
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      pair[index] = await measure(index, round)
    }
    pairs.push(pair as [T, T])
  }
  return pairs
}

/** Returns the medians of both subjects, and the median ratio of the second to the first. */
export function mediansOf(pairs: readonly [number, number][]) {
  return {
    first: median(pairs.map(([first]) => first)),
    second: median(pairs.map(([, second]) => second)),
    ratio: median(pairs.map(([first, second]) => second / first)),
  }
}

/** Starts a server like `npm start` on the harness's database, and stops the server when the harness closes. */
export async function startOn(
  harness: Harness,
  settings: Record<string, string> = {},
): Promise<PlazaServer> {
  const { dataDir, databaseUrl } = harness
  const database = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
  const server = await startPlaza({ ...database, ...settings })
  harness.atEnd(() => server.stop())
  return server
}
