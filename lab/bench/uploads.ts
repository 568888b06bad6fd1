/** Compares the upload speeds of Plaza and of a bare server, which only streams the form to a file and syncs it. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare } from './compare.ts'
import { makeTokens } from './users.ts'
import { type Server, startPlaza, startProgram } from '../../bench/servers.ts'

const MIB = 1024 * 1024
const SIZES = [1, 64]
const TARGET = 0.7
/** Uploads per round, each with different bytes. */
const UPLOADS = 4

interface Options {
  rounds: number
}

export async function measureUploads({ rounds }: Options, json: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-bench-'))
  const dataDir = join(folder, 'data')
  const token = (await makeTokens(dataDir, 1))[0] as string
  const servers = [
    await startProgram('lab/bench/plain.ts', folder),
    await startPlaza({ DATA_DIR: dataDir }, undefined),
  ] as const
  try {
    const rows = []
    for (const size of SIZES) {
      for (const server of servers) await send(server, token, size)
      const found = await compare(servers, rounds, (server) => send(server, token, size))
      rows.push({
        name: `${size} MiB`,
        stream_mib_s: found.bare,
        plaza_mib_s: found.plaza,
        ratio: found.ratio,
        // Small uploads have no target, because they spend most of their time in the database and in syncs.
        target: size < 64 ? null : TARGET,
      })
    }
    if (json) console.log(JSON.stringify({ rounds, rows }, null, 2))
    else console.table(rows)
  } finally {
    for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Uploads files and returns the speed in MiB per second. Throws when an upload fails. */
async function send(server: Server, token: string, megabytes: number): Promise<number> {
  let seconds = 0
  for (let i = 0; i < UPLOADS; i++) seconds += await sendOne(server, token, megabytes)
  return (megabytes * UPLOADS) / seconds
}

function sendOne({ url }: Server, token: string, megabytes: number): Promise<number> {
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n'
  const file = Buffer.alloc(megabytes * MIB)
  randomBytes(MIB).copy(file)
  file.write('\0\0\0\x18ftypisom\0\0\x02\0isommp42\0\0\0\0mdat', 0, 'latin1')
  const body = Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--b--\r\n')])
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const sending = request(`${url}/api/v1/uploads`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': body.length,
      },
    })
    sending.on('error', reject).on('response', (answer) => {
      answer.resume().on('end', () => {
        if (answer.statusCode !== 201) reject(new Error(`${url} returned ${answer.statusCode}`))
        else resolve((performance.now() - start) / 1000)
      })
    })
    sending.end(body)
  })
}
