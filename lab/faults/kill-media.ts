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
import { type Findings, noFindings } from './harness/findings.ts'
import type { Harness } from './harness/harness.ts'
import { assertWholeMp4, charge, type Flood, startFlood, readUpload } from './harness/flood.ts'

/** In runs with at least this many rounds, some rounds wait until the leases of killed servers expire. */
const LONG = 6
const HOUR_S = 3600
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

async function until(
  condition: () => boolean | Promise<boolean>,
  what: () => unknown,
  patienceMs = 600_000,
): Promise<void> {
  for (const start = Date.now(); !(await condition()); await sleep(100)) {
    assert.ok(Date.now() - start < patienceMs, `timed out waiting: ${JSON.stringify(what())}`)
  }
}

async function listenFor(load: Flood, url: string) {
  const deliveries = { likes: new Set<string>(), events: 0, repeated: 0, forged: 0, refused: 0 }
  const known = new Set<string>()
  const star = load.star.onServer(url)
  const { id } = dataOf(
    await star.post('/devconsole/apps', { app_name: 'Ear', app_type: 'server' }),
    201,
  ).app
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
    deliveries.likes.add(`${event.data.content.id} ${event.data.actor.id}`)
    return { delayMs: randomInt(4) }
  })
  const body = { endpoint_url: receiver.url, events: ['content.liked'] }
  const made = dataOf(await star.post(`/devconsole/apps/${id}/webhooks`, body), 201)
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

async function run(harness: Harness, rounds: number): Promise<Findings> {
  const findings = noFindings()
  const isLong = rounds >= LONG
  const { dataDir } = harness
  const serve = () => harness.serve(SETTINGS)
  const programs = () => programsOn(dataDir)
  const first = await serve()
  const load = await startFlood(first.url, isLong ? 8 : 4)
  const deliveries = await listenFor(load, first.url)
  const { said } = load
  for (let round = 0; round < rounds; round++) {
    const server = round === 0 ? first : await serve()
    const charging = charge(load, server.url)
    const before = said.uploads.length
    for (let i = 0; i < 800 && said.uploads.length < before + 4; i++) await sleep(10)
    await sleep(randomInt(isLong ? 2500 : 700))
    server.child.kill('SIGKILL')
    await Promise.all([server.ended, charging])
    await until(() => programs().length === 0, programs)
    if (!isLong || randomInt(2) === 0) await endLeases(harness)
  }
  const incoming = join(dataDir, 'incoming')
  const abandoned = readdirSync(incoming)
  const old = Date.now() / 1000 - 2 * HOUR_S
  for (const name of abandoned) utimesSync(join(incoming, name), old, old)

  const server = await serve()
  const { url } = server
  await until(
    async () => {
      const live = `select count(*) as n from jobs where status in ('queued', 'processing')`
      return Number((await harness.sql(live))[0]?.['n']) === 0
    },
    () => 'conversions still running',
  )
  const ends = new Map<string, number>()
  for (const { id, owner, type } of said.contents) {
    const { content } = dataOf(await owner.onServer(url).get(`/contents/${id}`))
    assert.notEqual(content.status, 'processing', id)
    if (type !== 'video') continue
    const path = `/contents/${id}/conversion`
    const { conversion } = dataOf(await owner.onServer(url).get(path, ENGLISH))
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
  const untold = () =>
    said.liked.filter((like) => !deliveries.likes.has(`${like.contentId} ${like.actorId}`))
  await until(() => untold().length === 0, untold)
  assert.equal(deliveries.forged, 0)
  await until(
    () => readdirSync(incoming).length === 0,
    () => readdirSync(incoming),
  )
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  assert.deepEqual(programs(), [])
  await harness.doctor(findings)
  for (const list of [said.uploads, said.contents, said.liked]) assert.ok(list.length > 0)
  findings.acknowledged = said.uploads.length + said.contents.length + said.liked.length
  findings.notes.push(
    `${said.uploads.length} uploads, ${said.contents.length} contents, ${said.liked.length} likes, none lost`,
    `conversions: ${JSON.stringify(Object.fromEntries(ends))}`,
    `events: ${deliveries.events} accepted, ${deliveries.refused} rejected, ${deliveries.repeated} of those accepted were repeated`,
    `${abandoned.length} abandoned staged files removed`,
  )
  return findings
}
