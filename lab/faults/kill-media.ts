import assert from 'node:assert/strict'
import { createHash, randomInt } from 'node:crypto'
import { globSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { dataOf } from '../../test/make.ts'
import { receive } from '../../test/receiver.ts'
import { NO_FFMPEG } from '../../test/videos.ts'
import type { Fault } from './fault.ts'
import { type Harness, until } from '../harness/harness.ts'
import { listProcesses } from '../harness/processes.ts'
import { LoadGenerator } from '../harness/load-generator.ts'
import { assertWholeMp4, clientOf, flood, readUpload, type Recorded } from './flood.ts'

/** In runs with at least this many rounds, some rounds wait until the leases of killed servers expire. */
const LONG = 6
const HOUR_S = 3600
const PATIENCE_MS = 600_000
const ENGLISH = { headers: { 'accept-language': 'en' } }
const SETTINGS = {
  FFMPEG: 'ffmpeg',
  WEBHOOK_ALLOW_PRIVATE: 'on',
  WEBHOOK_RETRY_SCHEDULE: '0,1,1,2,5,5,5',
}

async function endLeases(harness: Harness): Promise<void> {
  await harness.sql('update jobs set due_at = 1 where lease is not null')
  await harness.sql('update webhooks set leased_until = 1 where leased_until is not null')
}

function programsOn(dataDir: string): string[] {
  return listProcesses()
    .filter(({ pid }) => pid !== process.pid)
    .map(({ words }) => words.join(' '))
    .filter((command) => command.includes(dataDir))
}

async function untilNone(list: () => readonly string[]): Promise<void> {
  await until(
    () => list().length === 0,
    PATIENCE_MS,
    () => `still there: ${list().join(', ')}`,
  )
}

/** Registers a webhook for likes of the user's contents, whose deliveries are partly refused. */
async function listenFor(url: string, token: string) {
  const deliveries = { likes: new Set<string>(), events: 0, repeated: 0, forged: 0, refused: 0 }
  const known = new Set<string>()
  const owner = clientOf(url, token)
  const { app } = dataOf(
    await owner.post('/devconsole/apps', { app_name: 'Ear', app_type: 'server' }),
    201,
  )
  let signing = ''
  const receiver = await receive((number, { headers, text, event }) => {
    try {
      new Webhook(signing).verify(text, headers as Record<string, string>)
    } catch {
      deliveries.forged++
    }
    if (number % 17 === 0) {
      deliveries.refused++
      return { status: 500 }
    }
    deliveries.events++
    if (known.has(event.id)) deliveries.repeated++
    known.add(event.id)
    deliveries.likes.add(`${event.data.actor.id} ${event.data.content.id}`)
    return { delayMs: randomInt(4) }
  })
  const body = { endpoint_url: receiver.url, events: ['content.liked'] }
  const made = dataOf(await owner.post(`/devconsole/apps/${app.id}/webhooks`, body), 201)
  signing = made.signing_secret
  return deliveries
}

export const killMedia: Fault = {
  name: 'kill-media',
  promise: 'loses no upload, conversion or delivery when killed and leaves nothing incomplete',
  rounds: { full: 20, short: 2 },
  missing: () => (NO_FFMPEG || process.platform !== 'linux' ? 'needs ffmpeg and /proc' : undefined),
  run,
}

async function run(harness: Harness, rounds: number): Promise<void> {
  const { findings, dataDir } = harness
  const isLong = rounds >= LONG
  const serve = () => harness.serve(SETTINGS)
  const programs = () => programsOn(dataDir)
  const load = await LoadGenerator.gather(harness, isLong ? 9 : 5)
  const tokens = load.users.map(({ token }) => token)
  const [star] = load.users as [(typeof load.users)[0]]
  const first = await serve()
  const deliveries = await listenFor(first.url, star.token)
  await load.prepare(first.url)
  const said: Recorded = { uploads: [], contents: [], unexpected: [], damaged: [] }
  for (let round = 0; round < rounds; round++) {
    const server = round === 0 ? first : await serve()
    await load.resume(server.url)
    const writing = load.start(server.url, { isPersistent: false })
    const flooding = flood(server.url, tokens, said)
    const before = said.uploads.length
    for (let i = 0; i < 800 && said.uploads.length < before + 4; i++) await sleep(10)
    await load.recovery(150)
    await sleep(randomInt(isLong ? 2500 : 700))
    await harness.kill(server)
    await Promise.all([writing.ended, flooding])
    await untilNone(programs)
    if (!isLong || randomInt(2) === 0) await endLeases(harness)
  }
  const incoming = join(dataDir, 'incoming')
  const abandoned = readdirSync(incoming)
  const old = Date.now() / 1000 - 2 * HOUR_S
  for (const name of abandoned) utimesSync(join(incoming, name), old, old)

  const server = await serve()
  const { url } = server
  const live = `select count(*) from jobs where status in ('queued', 'processing')`
  await until(async () => (await harness.number(live)) === 0, PATIENCE_MS, 'conversions still run')
  const ends = new Map<string, number>()
  for (const { id, token, type } of said.contents) {
    const owner = clientOf(url, token)
    const { content } = dataOf(await owner.get(`/contents/${id}`))
    assert.notEqual(content.status, 'processing', id)
    if (type !== 'video') continue
    const { conversion } = dataOf(await owner.get(`/contents/${id}/conversion`, ENGLISH))
    assert.match(conversion.status, /^(completed|failed)$/)
    assert.equal(content.status === 'published', conversion.status === 'completed')
    const end = conversion.error ?? conversion.status
    ends.set(end, (ends.get(end) ?? 0) + 1)
    for (const rendition of conversion.renditions) {
      const answer = await fetch(url + rendition.url)
      assertWholeMp4(Buffer.from(await answer.arrayBuffer()), rendition.url)
    }
  }
  for (const upload of said.uploads) await readUpload(url, upload, said)
  assert.deepEqual([said.damaged, said.unexpected], [[], []])
  for (const file of globSync('files/**/*.*', { cwd: dataDir })) {
    const name = basename(file)
    if (!/^[0-9a-f]{64}\./.test(name)) continue
    const hash = createHash('sha256').update(readFileSync(join(dataDir, file)))
    assert.equal(name.slice(0, 64), hash.digest('hex'), 'a stored file is incomplete')
  }
  const likes = load.journal.likesOf(star.id)
  const untold = () => likes.filter((like) => !deliveries.likes.has(like))
  await untilNone(untold)
  assert.equal(deliveries.forged, 0)
  await untilNone(() => readdirSync(incoming))
  await harness.stop(server)
  assert.deepEqual(programs(), [])
  await load.check()
  await harness.doctor()
  for (const list of [said.uploads, said.contents, likes]) assert.ok(list.length > 0)
  findings.acknowledged += said.uploads.length + said.contents.length
  findings.notes.push(
    `${said.uploads.length} uploads, ${said.contents.length} contents, ${likes.length} likes that cause events, none lost`,
    `conversions: ${JSON.stringify(Object.fromEntries(ends))}`,
    `events: ${deliveries.events} accepted, ${deliveries.refused} rejected, ${deliveries.repeated} of those accepted were repeated`,
    `${abandoned.length} abandoned staged files removed`,
  )
}
