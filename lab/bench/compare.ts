import { median } from '../../bench/report.ts'
import type { Server } from '../../bench/servers.ts'

/**
 * Measures a bare server and Plaza alternately. Returns both medians, and the median ratio of Plaza to the bare
 * server.
 */
export async function compare(
  servers: readonly [bare: Server, plaza: Server],
  rounds: number,
  measure: (server: Server) => Promise<number>,
) {
  const found: [bare: number, plaza: number][] = []
  for (let round = 0; round < rounds; round++) {
    const values: [number, number] = [0, 0]
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      values[index] = await measure(servers[index])
    }
    found.push(values)
  }
  return {
    bare: Math.round(median(found.map(([bare]) => bare))),
    plaza: Math.round(median(found.map(([, plaza]) => plaza))),
    ratio: Number(median(found.map(([bare, plaza]) => plaza / bare)).toFixed(2)),
  }
}
