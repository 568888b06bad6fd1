/** Compares the upload speeds of Plaza and of a bare server, which only streams the form to a file and syncs it. */
import { randomBytes } from 'node:crypto'
import { request } from 'undici'
import type { Setup } from '../../bench/report.ts'
import { type Server, startProgram } from '../../bench/servers.ts'
import { FORM_TYPE, formWith } from '../../test/uploads.ts'
import type { Harness } from '../harness/harness.ts'
import { makeUsers } from '../harness/users.ts'
import { alternate, mediansOf, startOn } from './compare.ts'

const MIB = 1024 * 1024
const SIZES = [1, 64]
const TARGET = 0.7
/** Uploads per round, each with different bytes. */
const UPLOADS = 4

export async function measureUploads(harness: Harness, { rounds }: Setup): Promise<void> {
  const [user] = await harness.withDatabase((db) => makeUsers(db, 1))
  const token = user?.token ?? ''
  const bare = await startProgram('lab/bench/plain.ts', harness.folder)
  harness.atEnd(() => bare.stop())
  const servers = [bare, await startOn(harness)] as const
  const rows = []
  for (const size of SIZES) {
    for (const server of servers) await send(server, token, size)
    const { first, second, ratio } = mediansOf(
      await alternate(rounds, (index) => send(servers[index], token, size)),
    )
    rows.push({
      name: `${size} MiB`,
      stream_mib_s: Math.round(first),
      plaza_mib_s: Math.round(second),
      ratio: Number(ratio.toFixed(2)),
      // Small uploads have no target, because they spend most of their time in the database and in syncs.
      target: size < 64 ? null : TARGET,
    })
  }
  console.table(rows)
}

/** Uploads files and returns the speed in MiB per second. Throws when an upload fails. */
async function send(server: Server, token: string, megabytes: number): Promise<number> {
  let seconds = 0
  for (let i = 0; i < UPLOADS; i++) seconds += await sendOne(server, token, megabytes)
  return (megabytes * UPLOADS) / seconds
}

async function sendOne({ url }: Server, token: string, megabytes: number): Promise<number> {
  const file = Buffer.alloc(megabytes * MIB)
  randomBytes(MIB).copy(file)
  file.write('\0\0\0\x18ftypisom\0\0\x02\0isommp42\0\0\0\0mdat', 0, 'latin1')
  const headers = { authorization: `Bearer ${token}`, 'content-type': FORM_TYPE }
  const body = formWith(file, 'a.mp4')
  const start = performance.now()
  const answer = await request(`${url}/api/v1/uploads`, { method: 'POST', headers, body })
  await answer.body.dump()
  if (answer.statusCode !== 201) throw new Error(`${url} returned ${answer.statusCode}`)
  return (performance.now() - start) / 1000
}
