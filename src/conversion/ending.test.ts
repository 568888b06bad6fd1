import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import { plazaOn } from '../../test/command.ts'
import { conversionOf, untilConverted, contentOf } from '../../test/conversions.ts'
import { temporaryFolder } from '../../test/files.ts'
import { dataOf, makeContent } from '../../test/make.ts'
import { makeUpload } from '../../test/uploads.ts'
import { bytesOf, makeVideo, NO_FFMPEG, slowTools } from '../../test/videos.ts'
import { until } from '../../test/receiver.ts'

const tools = temporaryFolder('plaza-ending-')
const slow = slowTools(tools)

const app = await startApp({ FFMPEG: NO_FFMPEG ? 'off' : join(tools, 'ffmpeg') })
const plaza = plazaOn(app.deps.config)
const { dataDir } = app.deps.config

/** Shorter than the two minutes of a slow conversion, so that the test fails if the conversion is not stopped. */
const TIMEOUT_MS = 60_000

function isConverting(): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      const line = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'latin1') : ''
      return line.includes(dataDir) && line.includes('-progress')
    } catch {
      return false
    }
  })
}

function makeSlowContent(author: Actor, upload: { id: string }): Promise<Loose> {
  const over = { category: 'hype', type: 'video', title: 'Long', upload_ids: [upload.id] }
  return makeContent(author, over)
}

const untilPublic = ({ id }: Loose) =>
  until(
    async () => (await app.anon.get(`/contents/${id}`)).status === 200,
    'the publication',
    TIMEOUT_MS,
  )

const jobsOf = ({ sha256 }: Loose) =>
  app.sql(`select * from jobs where kind = 'conversion' and subject = '${sha256}'`)

async function changeSuspension(user: Actor, is_suspended: boolean): Promise<void> {
  const admin = await app.admin()
  dataOf(await admin.patch(`/admin/users/${user.id}`, { is_suspended }))
}

afterEach(() => rmSync(slow, { force: true }))

const skip = NO_FFMPEG || (!existsSync('/proc') && 'needs /proc')

describe('a running conversion', { skip }, () => {
  const video = NO_FFMPEG ? Buffer.from('') : bytesOf(makeVideo({ seconds: 120 }))
  let made = 0
  /** Uploads a video whose slow conversion takes two minutes. */
  const uploadSlow = (author: Actor) =>
    makeUpload(
      author,
      Buffer.concat([video, Buffer.from([0, 0, 0, 9, 102, 114, 101, 101, ++made])]),
    )

  test('ends when its content is archived, leaves nothing, and is queued again for new content', async () => {
    writeFileSync(slow, '')
    const ana = await app.user()
    const upload = await uploadSlow(ana)
    const content = await makeSlowContent(ana, upload)
    await until(isConverting, 'the conversion', TIMEOUT_MS)
    assert.equal((await ana.delete(`/contents/${content.id}`)).status, 204)
    await until(() => !isConverting(), 'the end of programs', TIMEOUT_MS)
    await until(async () => (await jobsOf(upload)).length === 0, 'the end of the job', TIMEOUT_MS)
    await until(
      () => readdirSync(app.deps.staging.folder).length === 0,
      'the end of staged files',
      TIMEOUT_MS,
    )
    const stored = await Array.fromAsync(app.deps.store.list(`${upload.sha256}/`))
    assert.deepEqual(stored, [])
    rmSync(slow)
    const again = await makeSlowContent(ana, upload)
    assert.equal((await untilConverted(ana, again)).status, 'completed')
    assert.equal((await contentOf(app.anon, again)).status, 'published')
    assert.equal((await contentOf(ana, content)).status, 'archived')
  })

  test('ends when its author is suspended, and starts again when the suspension is lifted', async () => {
    writeFileSync(slow, '')
    const ben = await app.user()
    const upload = await uploadSlow(ben)
    const content = await makeSlowContent(ben, upload)
    await until(isConverting, 'the conversion', TIMEOUT_MS)
    await changeSuspension(ben, true)
    await until(() => !isConverting(), 'the end of programs', TIMEOUT_MS)
    await until(
      async () => (await jobsOf(upload))[0]?.['status'] === 'queued',
      'the waiting job',
      TIMEOUT_MS,
    )
    rmSync(slow)
    // The worker still converts the files of other users.
    const cara = await app.user()
    const short = await makeSlowContent(cara, await makeUpload(cara, bytesOf(makeVideo())))
    await untilConverted(cara, short)
    const [job] = await jobsOf(upload)
    assert.deepEqual([job?.['status'], Number(job?.['attempts'])], ['queued', 0])
    await changeSuspension(ben, false)
    await untilPublic(content)
  })

  test('continues while any content needs it, and ends with the last one', async () => {
    writeFileSync(slow, '')
    const [ana, ben] = [await app.user(), await app.user()]
    const upload = await uploadSlow(ana)
    const first = await makeSlowContent(ana, upload)
    const bytes = Buffer.concat([video, Buffer.from([0, 0, 0, 9, 102, 114, 101, 101, made])])
    const second = await makeSlowContent(ben, await makeUpload(ben, bytes))
    await until(isConverting, 'the conversion', TIMEOUT_MS)
    await changeSuspension(ana, true)
    await new Promise((done) => setTimeout(done, 5000))
    assert.ok(isConverting())
    assert.equal((await ben.delete(`/contents/${second.id}`)).status, 204)
    await until(() => !isConverting(), 'the end of programs', TIMEOUT_MS)
    await until(
      async () => (await jobsOf(upload))[0]?.['status'] === 'queued',
      'the waiting job',
      TIMEOUT_MS,
    )
    assert.equal(
      await app.value(`select owner_id from jobs where subject = '${upload.sha256}'`),
      ana.id,
    )
    rmSync(slow)
    await changeSuspension(ana, false)
    await untilPublic(first)
  })

  test('fails with the reason and an audit entry when the operator ends it', async () => {
    writeFileSync(slow, '')
    const ana = await app.user()
    const upload = await uploadSlow(ana)
    const content = await makeSlowContent(ana, upload)
    await until(isConverting, 'the conversion', TIMEOUT_MS)
    const list = await plaza('jobs')
    const id = String((await jobsOf(upload))[0]?.['id'])
    assert.match(list.out, new RegExp(`${id} +conversion +processing +short +${ana.handle} `))
    const ended = await plaza('jobs', 'end', id)
    assert.deepEqual([ended.code, ended.out], [0, `ended conversion ${id}\n`])
    await until(() => !isConverting(), 'the end of programs', TIMEOUT_MS)
    const { status, error } = await conversionOf(ana, content)
    assert.deepEqual([status, error], ['failed', 'The server operator stopped it.'])
    assert.equal((await contentOf(ana, content)).status, 'draft')
    const { audit } = dataOf(await (await app.admin()).get(`/admin/users/${ana.id}/audit`))
    assert.deepEqual(
      audit.map(({ action, actor, reason }: Loose) => [action, actor, reason]),
      [['job_ended', null, `conversion ${id}`]],
    )
    const again = await plaza('jobs', 'end', id)
    assert.deepEqual([again.code, again.out], [1, ''])
    assert.equal((await plaza('jobs')).out, 'no jobs are running or queued\n')
  })
})
