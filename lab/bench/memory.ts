/**
 * Measures a server's resident memory with a thousand connections (proc_pid_status(5)): after start, with
 * idle connections, and the peak under load.
 */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPrivatePostgres } from '../../scripts/postgres.ts'
import { openDatabase } from '../../src/db/open.ts'
import { load } from '../../bench/load.ts'
import type { Setup } from '../../bench/report.ts'
import { type Row, ROWS } from '../../bench/rows.ts'
import { type PlazaServer, SECRETS, startPlaza } from '../../bench/servers.ts'
import { makeWorld } from '../../bench/world.ts'

const CONNECTIONS = 1000
const LIMIT_MIB = 256
const HEALTH = '/api/health'

export async function measureMemory({ engine, seconds }: Setup, json: boolean): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'plaza-memory-'))
  const postgres = engine === 'postgres' ? await startPrivatePostgres() : undefined
  try {
    const filling = openDatabase({ databaseUrl: postgres?.url, dataDir: directory })
    const world = await makeWorld(filling, SECRETS.TOKEN_SECRET)
    await filling.close()
    const settings = postgres ? { DATABASE_URL: postgres.url } : {}
    const server = await startPlaza({ ...settings, DATA_DIR: directory }, undefined)
    try {
      const feeds = ROWS.find(({ name }) => name === 'home-feed') as Row
      const polls: Row = { ...feeds, caller: 'nobody', calls: () => [{ path: HEALTH }] }
      await sleep(2000)
      const found = { 'at rest': resident(server, 'VmRSS'), idle: await whileIdle(server) }
      for (const [name, row] of Object.entries({ polls, feeds })) {
        // `5` resets the peak resident memory to the current value.
        writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
        const { rate } = await load(server, row, world, { connections: CONNECTIONS, seconds })
        if (!json) console.error(`${name}: ${rate.toFixed(0)} requests per second`)
        Object.assign(found, { [name]: resident(server, 'VmHWM') })
      }
      report(found, engine, json)
    } finally {
      await server.stop()
    }
  } finally {
    await postgres?.stop()
    rmSync(directory, { recursive: true, force: true })
  }
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
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find((text) => text.startsWith(`${what}:`))
  return Math.round(Number(line?.match(/\d+/)?.[0]) / 1024)
}

function report(found: Record<string, number>, engine: string, json: boolean): void {
  if (json) return console.log(JSON.stringify({ engine, connections: CONNECTIONS, ...found }))
  console.log(`MiB with ${CONNECTIONS} connections (${engine}):`)
  console.table(found)
  const isWithin = Object.values(found).every((megabytes) => megabytes < LIMIT_MIB)
  console.log(isWithin ? `All below ${LIMIT_MIB} MiB` : `Not all below ${LIMIT_MIB} MiB`)
}
