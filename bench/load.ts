import autocannon from 'autocannon'
import { headersOf } from './compare.ts'
import { callsOf, type Row } from './rows.ts'
import type { Server } from './servers.ts'
import type { Viewer, World } from './world.ts'

export interface Rate {
  /** Responses per second. */
  rate: number
  /** 99th percentile of the response time in milliseconds. */
  p99: number
  /** Microseconds of server CPU time per request; NaN where the system does not report it. */
  cpu: number
}

/**
 * Measures a server under load. Each connection acts as one viewer and sends its next request after each response.
 * Throws when a request fails.
 */
export async function load(
  { url, cpuTime }: Server,
  row: Row,
  world: World,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Rate> {
  let next = 0
  const before = cpuTime() ?? Number.NaN
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    setupClient: (client) => {
      const viewer = world.viewers[next++ % world.viewers.length] as Viewer
      const { method } = row
      client.setRequests(
        callsOf(row, world, viewer).map((call) => ({
          method,
          path: call.path,
          headers: headersOf(row, viewer, call),
          ...(call.body && { body: JSON.stringify(call.body) }),
        })),
      )
    },
  })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${row.name} at ${url}: ${failed} requests failed`)
  const cpu = (((cpuTime() ?? Number.NaN) - before) * 1000) / result['2xx']
  return { rate: result['2xx'] / result.duration, p99: result.latency.p99, cpu }
}
