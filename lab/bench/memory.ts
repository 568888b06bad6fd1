/**
 * Measures a server's resident memory with a thousand connections (proc_pid_status(5)): after start, with
 * idle connections, and the peak under load.
 */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { load } from '../../bench/load.ts'
import type { Setup } from '../../bench/report.ts'
import { type Row, rowNamed } from '../../bench/rows.ts'
import { type PlazaServer, SECRETS } from '../../bench/servers.ts'
import { makeWorld } from '../../bench/world.ts'
import type { Harness } from '../harness/harness.ts'
import { startOn } from './compare.ts'

const CONNECTIONS = 1000
const LIMIT_MIB = 256
const HEALTH = '/api/health'

export async function measureMemory(harness: Harness, { engine, seconds }: Setup): Promise<void> {
  const world = await harness.withDatabase((db) => makeWorld(db, SECRETS.TOKEN_SECRET))
  const server = await startOn(harness)
  const feeds = rowNamed('home-feed')
  const polls: Row = { ...feeds, caller: 'nobody', route: HEALTH, query: '' }
  await sleep(2000)
  const found = { 'at rest': resident(server, 'VmRSS'), idle: await whileIdle(server) }
  for (const [name, row] of Object.entries({ polls, feeds })) {
    // `5` resets the peak resident memory to the current value.
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
    const { rate } = await load(server, row, world, { connections: CONNECTIONS, seconds })
    console.error(`${name}: ${rate.toFixed(0)} requests per second`)
    Object.assign(found, { [name]: resident(server, 'VmHWM') })
  }
  console.log(`MiB with ${CONNECTIONS} connections (${engine}):`)
  console.table(found)
  const isWithin = Object.values(found).every((megabytes) => megabytes < LIMIT_MIB)
  console.log(isWithin ? `All below ${LIMIT_MIB} MiB` : `Not all below ${LIMIT_MIB} MiB`)
}

async function whileIdle(server: PlazaServer): Promise<number> {
  const sockets: Socket[] = []
  try {
    const { port, host } = new URL(server.url)
    for (let i = 0; i < CONNECTIONS; i++) {
      const socket = connect(Number(port), '127.0.0.1')
      sockets.push(socket)
      socket.write(`GET ${HEALTH} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      await once(socket, 'data')
    }
    await sleep(2000)
    const held = sockets.filter(({ readyState }) => readyState === 'open').length
    if (held < CONNECTIONS) throw new Error(`${CONNECTIONS - held} idle connections were closed`)
    return resident(server, 'VmRSS')
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

function resident({ pid }: PlazaServer, what: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
}
