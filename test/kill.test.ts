/**
 * The server is killed again and again while it takes uploads, converts videos and tells of likes.
 * `npm run kill -- [sqlite|postgres] [rounds]` does it for longer.
 */
import assert from 'node:assert/strict'
import { createHash, randomInt } from 'node:crypto'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Db } from '../src/db/handle.ts'
import { openDatabase } from '../src/db/open.ts'
import type { Loose } from './actors.ts'
import { dropDatabase, newDatabase, testSecrets } from './app.ts'
import { dataOf } from './make.ts'
import { assertWholeMp4, charge, type Crowd, gatherCrowd, readUpload } from './onslaught.ts'
import { plaza, serve } from './process.ts'
import { receive } from './receiver.ts'
import { NO_FFMPEG } from './videos.ts'

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 3)
/** A short run does not wait until what was killed counts as dead. */
const IS_LONG = ROUNDS > 5
const PATIENCE_MS = IS_LONG ? 600_000 : 40_000
const HOUR_S = 3600
const ENGLISH = { headers: { 'accept-language': 'en' } }

const dataDir = mkdtempSync(join(tmpdir(), 'plaza-kill-'))
const databaseUrl = await newDatabase()
after(async () => {
  rmSync(dataDir, { recursive: true, force: true })
  if (databaseUrl) await dropDatabase(databaseUrl)
})
const settings = {
  DATA_DIR: dataDir,
  CAPTCHA_COST: '10',
  LOG_LEVEL: 'error',
  CHROMIUM: 'off',
  WEBHOOK_ALLOW_PRIVATE: 'on',
  WEBHOOK_RETRY_SCHEDULE: '0,1,1,2,5,5,5',
  ...(databaseUrl && { DATABASE_URL: databaseUrl, ...testSecrets() }),
}

async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabase({ dataDir, databaseUrl })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

async function query(text: string): Promise<Loose[]> {
  let rows: Loose[] = []
  await withDatabase((db) =>
    db.script(async (run) => {
      rows = await run(text)
    }),
  )
  return rows
}

/** As if the time were over after which a process that says nothing counts as dead. */
async function endLeases(): Promise<void> {
  await query('update jobs set due_at = 1 where lease is not null')
  await query('update webhooks set leased_until = 1 where leased_until is not null')
}

/** Programs that work on this data and are no server. */
function programs(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || pid === String(process.pid)) return []
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      return line.includes(dataDir) ? [line.replaceAll('\0', ' ')] : []
    } catch {
      return []
    }
  })
}

async function until(isSo: () => boolean | Promise<boolean>, what: () => unknown): Promise<void> {
  for (const start = Date.now(); !(await isSo()); await sleep(100)) {
    assert.ok(Date.now() - start < PATIENCE_MS, `in vain: ${JSON.stringify(what())}`)
  }
}

/** Hears of likes, now and then with an error, and looks at every signature. */
async function listenFor(crowd: Crowd, url: string) {
  const told = { likes: new Set<string>(), events: 0, repeated: 0, forged: 0, refused: 0 }
  const known = new Set<string>()
  const star = crowd.star.at(url)
  const { id } = dataOf(
    await star.post('/devconsole/apps', { app_name: 'Ear', app_type: 'server' }),
    201,
  ).app
  let signing = ''
  const receiver = await receive((number, { headers, text, event }) => {
    try {
      new Webhook(signing).verify(text, headers as Record<string, string>)
    } catch {
      told.forged++
    }
    if (number % 17 === 0) {
      told.refused++
      return { status: 500 }
    }
    told.events++
    if (known.has(event.id)) told.repeated++
    known.add(event.id)
    told.likes.add(`${event.data.content.id} ${event.data.actor.id}`)
    return { delayMs: randomInt(4) }
  })
  const body = { endpoint_url: receiver.url, events: ['content.liked'] }
  const made = dataOf(await star.post(`/devconsole/apps/${id}/webhooks`, body), 201)
  signing = made.signing_secret
  return told
}

const skip = NO_FFMPEG || (process.platform !== 'linux' && 'reads /proc')

test('of what was acknowledged nothing is lost when the server is killed, and nothing half done is left', {
  skip,
}, async (t) => {
  const first = await serve(settings)
  const crowd = await gatherCrowd(first.url, IS_LONG ? 8 : 4)
  const told = await listenFor(crowd, first.url)
  const { said } = crowd
  for (let round = 0; round < ROUNDS; round++) {
    const server = round === 0 ? first : await serve(settings)
    const charging = charge(crowd, server.url)
    const before = said.uploads.length
    for (let i = 0; i < 800 && said.uploads.length < before + 4; i++) await sleep(10)
    await sleep(randomInt(IS_LONG ? 2500 : 700))
    server.child.kill('SIGKILL')
    await Promise.all([server.ended, charging])
    await until(() => programs().length === 0, programs)
    if (!IS_LONG || randomInt(2) === 0) await endLeases()
  }
  const incoming = join(dataDir, 'incoming')
  const abandoned = readdirSync(incoming)
  const old = Date.now() / 1000 - 2 * HOUR_S
  for (const name of abandoned) utimesSync(join(incoming, name), old, old)

  const server = await serve(settings)
  const { url } = server
  await until(
    async () => {
      const live = `select count(*) as n from jobs where status in ('queued', 'processing')`
      return Number((await query(live))[0].n) === 0
    },
    () => 'conversions that do not end',
  )
  const ends = new Map<string, number>()
  for (const { id, owner, type } of said.works) {
    const { content } = dataOf(await owner.at(url).get(`/contents/${id}`))
    assert.notEqual(content.status, 'processing', id)
    if (type !== 'video') continue
    const path = `/contents/${id}/conversion`
    const { conversion } = dataOf(await owner.at(url).get(path, ENGLISH))
    assert.match(conversion.status, /^(completed|failed)$/)
    assert.equal(content.status === 'published', conversion.status === 'completed')
    const end = conversion.error ?? conversion.status
    ends.set(end, (ends.get(end) ?? 0) + 1)
    for (const rendition of conversion.renditions) {
      const answer = await fetch(url + rendition.url)
      assertWholeMp4(Buffer.from(await answer.arrayBuffer()), rendition.url)
    }
  }
  for (const one of said.uploads) await readUpload(url, one, said)
  assert.deepEqual([said.damaged, said.oddities], [[], []])
  for (const file of globSync('files/**/*.*', { cwd: dataDir })) {
    const name = basename(file)
    if (!/^[0-9a-f]{64}\./.test(name)) continue
    const hash = createHash('sha256').update(readFileSync(join(dataDir, file)))
    assert.equal(name.slice(0, 64), hash.digest('hex'), 'a stored file is not whole')
  }
  const untold = () =>
    said.liked.filter((one) => !told.likes.has(`${one.contentId} ${one.actorId}`))
  await until(() => untold().length === 0, untold)
  assert.equal(told.forged, 0)
  await until(
    () => readdirSync(incoming).length === 0,
    () => readdirSync(incoming),
  )
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  assert.deepEqual(programs(), [])
  const doctor = await plaza(['doctor'], settings)
  assert.equal(doctor.code, 0, doctor.out)

  const count = (list: unknown[]) => assert.ok(list.length > 0) ?? list.length
  t.diagnostic(
    [
      `${ROUNDS} rounds; acknowledged and all there: ${count(said.uploads)} uploads`,
      `${count(said.works)} works, ${count(said.liked)} likes`,
      `conversions: ${JSON.stringify(Object.fromEntries(ends))}`,
      `events: ${told.events} taken, ${told.refused} refused, ${told.repeated} taken again`,
      `${abandoned.length} staged files left behind and swept`,
    ].join('; '),
  )
})
