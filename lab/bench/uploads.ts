/** Compares uploads to Plaza with a handler that only streams the form to a file and syncs it. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addUser, newUser } from '../../src/auth/rules.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { openSession } from '../../src/sessions/rules.ts'
import { median } from '../../bench/report.ts'
import { SECRETS, type Server, startPlaza, startProgram } from '../../bench/servers.ts'

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
  const token = await makeUser(dataDir)
  const servers = [
    await startProgram('lab/bench/plain.ts', folder),
    await startPlaza({ DATA_DIR: dataDir }, undefined),
  ] as const
  try {
    const rows = []
    for (const size of SIZES) {
      for (const server of servers) await send(server, token, size)
      const found: [number, number][] = []
      for (let round = 0; round < rounds; round++) {
        const speeds: [number, number] = [0, 0]
        for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
          speeds[at] = await send(servers[at], token, size)
        }
        found.push(speeds)
      }
      rows.push({
        name: `${size} MiB`,
        stream_mib_s: Math.round(median(found.map(([first]) => first))),
        plaza_mib_s: Math.round(median(found.map(([, second]) => second))),
        ratio: Number(median(found.map(([first, second]) => second / first)).toFixed(2)),
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

async function makeUser(dataDir: string): Promise<string> {
  const db = openDatabase({ databaseUrl: undefined, dataDir })
  await migrate(db, () => Date.now())
  const [handle, email] = ['person', 'person@example.test']
  const user = newUser(
    { handle, email, display_name: handle, password_hash: '', role: 'user' },
    Date.now(),
  )
  const settings = {
    tokenSecret: SECRETS.TOKEN_SECRET,
    accessTokenTtl: 86_400,
    refreshTokenTtl: 86_400,
  }
  const client = { ip: '127.0.0.1', userAgent: 'bench' }
  const tokens = await db.transaction(async (tx) => {
    await addUser(tx, user)
    return openSession(tx, settings, user.id, client, Date.now())
  })
  await db.close()
  return tokens.access_token
}

/** Returns MiB per second. Throws when an upload fails. */
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
