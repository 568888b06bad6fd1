import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Actor, type Answer, anyone } from '../../test/actors.ts'
import { newPlace, settingsOf, testSecrets } from '../../test/app.ts'
import { conversionOf, untilConverted } from '../../test/conversions.ts'
import { dataOf } from '../../test/make.ts'
import { plaza, serve, type Serving } from '../../test/process.ts'
import { makeUpload } from '../../test/uploads.ts'
import { bytesOf, makeVideo, NO_FFMPEG, slowTools } from '../../test/videos.ts'
import { openDatabase } from '../db/open.ts'
import { until } from '../../test/receiver.ts'

const running = new Set<Serving>()
const place = await newPlace(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL')
    await ended
  }
})
const { dataDir } = place
const tools = join(dataDir, 'tools')
mkdirSync(tools)
const slow = slowTools(tools)
const settings = {
  ...testSecrets(),
  ...settingsOf(place),
  FFMPEG: join(tools, 'ffmpeg'),
  RATE_LIMITS: 'off',
}

async function start(): Promise<Serving> {
  const server = await serve(settings)
  running.add(server)
  void server.ended.then(() => running.delete(server))
  return server
}

const account = { handle: 'ana', email: 'ana@example.test', password: 'correct horse battery 9' }

async function signIn({ url }: Serving): Promise<Actor> {
  const { handle, password } = account
  const answer = await anyone(url).post('/auth/login', { identifier: handle, password })
  const { tokens } = dataOf(answer)
  return anyone(url, { authorization: `Bearer ${tokens.access_token}` }) as Actor
}

async function endLeases(): Promise<void> {
  const db = openDatabase(place)
  try {
    await db.script((run) => run("update jobs set due_at = 0 where status = 'processing'"))
  } finally {
    await db.close()
  }
}

/** Creates content with a video of 30 seconds, so that its slow conversion takes half a minute. */
async function makeSlowContent(ana: Actor): Promise<{ id: string; status: string }> {
  const video = makeVideo({ seconds: 30 })
  const upload = await makeUpload(ana, bytesOf(video))
  const body = { category: 'hype', type: 'video', title: 'Long', upload_ids: [upload.id] }
  return dataOf(await ana.post('/contents', body), 201).content
}

function programs(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
      return /^\d+$/.test(pid) && line.includes(dataDir) ? [`${pid} ${line.slice(0, 200)}`] : []
    } catch {
      return []
    }
  })
}

function attemptsOf(server: Serving): number[] {
  return server
    .out()
    .split('\n')
    .filter((line) => line.includes('"job completed"'))
    .map((line) => (JSON.parse(line) as { attempt: number }).attempt)
}

const isConverting = () => programs().some((line) => line.includes('-progress'))

const skip = NO_FFMPEG || (!existsSync('/proc') && 'needs /proc')

describe('a server that stops during a conversion', { skip }, () => {
  test('ends its programs when killed, and the next start completes the conversion', async () => {
    const { handle, email, password } = account
    const made = await plaza(
      ['user', 'create', '--handle', handle, '--email', email, '--password', password],
      settings,
    )
    assert.equal(made.code, 0, made.out)
    writeFileSync(slow, '')
    const first = await start()
    const content = await makeSlowContent(await signIn(first))
    assert.equal(content.status, 'processing')
    await until(isConverting, 'the conversion', 120_000)
    first.child.kill('SIGKILL')
    await first.ended
    await until(() => programs().length === 0, 'the end of programs', 120_000)
    await endLeases()

    rmSync(slow)
    const second = await start()
    const again = await signIn(second)
    assert.deepEqual((await conversionOf(again, content)).renditions, [])
    const { status, renditions } = await untilConverted(again, content)
    assert.equal(status, 'completed')
    assert.equal(renditions.length, 1)
    for (const { url } of renditions) {
      const file = await fetch(second.url + url)
      assert.equal(file.status, 200)
      assert.ok((await file.arrayBuffer()).byteLength > 1000)
    }
    const answer: Answer = await anyone(second.url).get(`/contents/${content.id}`)
    assert.equal(dataOf(answer).content.status, 'published')
    second.child.kill('SIGTERM')
    assert.equal(await second.ended, 0)
    assert.deepEqual(attemptsOf(second), [2])
  })

  test('releases the job immediately when asked to stop', async () => {
    writeFileSync(slow, '')
    const first = await start()
    const content = await makeSlowContent(await signIn(first))
    await until(isConverting, 'the conversion', 120_000)
    const begun = performance.now()
    first.child.kill('SIGTERM')
    assert.equal(await first.ended, 0, first.out())
    assert.ok(performance.now() - begun < 5000)
    assert.deepEqual(programs(), [])

    rmSync(slow)
    const second = await start()
    const again = await signIn(second)
    assert.equal((await untilConverted(again, content)).status, 'completed')
    second.child.kill('SIGTERM')
    assert.equal(await second.ended, 0)
    // The interrupted attempt does not count, because the first process released the job.
    assert.deepEqual(attemptsOf(second), [1])
    assert.deepEqual(programs(), [])
  })
})
