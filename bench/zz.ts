import { mkdtempSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { newUser } from '../src/auth/rules.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import { openSession } from '../src/sessions/rules.ts'
import { addUser } from '../src/users/rules.ts'
import { SECRETS, startPlaza, startStream } from './servers.ts'
const folder = mkdtempSync('/tmp/zzb-')
const dataDir = join(folder, 'data')
const db = openDatabase({ databaseUrl: undefined, dataDir })
await migrate(db, () => Date.now())
const user = newUser(
  { handle: 'p', email: 'p@x.y', display_name: 'p', password_hash: '', role: 'user' },
  Date.now(),
)
const t = await db.transaction(async (tx) => {
  await addUser(tx, user)
  return openSession(
    tx,
    { tokenSecret: SECRETS.TOKEN_SECRET, accessTokenTtl: 86400, refreshTokenTtl: 86400 },
    user.id,
    { ip: '1', userAgent: 'b' },
    Date.now(),
  )
})
await db.close()
const prof = process.env.PROF
const servers = [
  ['stream', await startStream(folder)],
  ['plaza', await startPlaza({ DATA_DIR: dataDir }, prof)],
] as const
const MB = Number(process.env.MB ?? 64)
function body() {
  const f = Buffer.alloc(MB * 2 ** 20)
  randomBytes(2 ** 20).copy(f)
  f.write('\0\0\0\x18ftypisom\0\0\x02\0isommp42\0\0\0\0mdat', 0, 'latin1')
  return Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'),
    f,
    Buffer.from('\r\n--b--\r\n'),
  ])
}
for (let i = 0; i < 6; i++)
  for (const [name, s] of servers) {
    const b = body()
    const c0 = s.cpuTime()!
    const w = performance.now()
    let sent = 0
    await new Promise<void>((ok, bad) => {
      const q = request(
        s.url + '/api/v1/uploads',
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${t.access_token}`,
            'content-type': 'multipart/form-data; boundary=b',
            'content-length': b.length,
          },
        },
        (r) => {
          r.resume().on('end', () => ok())
        },
      )
      q.on('error', bad)
      q.end(b, () => {
        sent = performance.now() - w
      })
    })
    console.log(
      name,
      'wall',
      (performance.now() - w) | 0,
      'sent',
      sent | 0,
      'cpu',
      s.cpuTime()! - c0,
    )
  }
for (const [, s] of servers) await s.stop()
