import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import {
  type Actor,
  ENGINE,
  settingsOf,
  startApp,
  type TestApp,
  testSecrets,
} from '../../test/app.ts'
import { assertError, dataOf } from '../../test/make.ts'
import { serve, type Serving } from '../../test/process.ts'
import {
  assertNothingLeft,
  drawing,
  form,
  FORM_TYPE,
  makeBrokenMp4,
  makePng,
  makeUpload,
  part,
  served,
  upload,
} from '../../test/uploads.ts'

const MIB = 1024 * 1024
const noise = {
  create: {
    width: 500,
    height: 500,
    channels: 3,
    background: 'grey',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  },
} as const
const cleanups: (() => void)[] = []
after(() => {
  for (const cleanup of cleanups.toReversed()) cleanup()
})

function mountDisk(bytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-disk-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]
    execFileSync('mount', options, { stdio: 'ignore' })
  } catch {
    return undefined
  }
  // Clean-ups run in reverse order, so the server has stopped before the disk is unmounted.
  cleanups.push(() => execFileSync('umount', ['-l', folder]))
  return folder
}

async function serveBeside(app: TestApp): Promise<Serving> {
  const programs = { FFMPEG: 'off', CHROMIUM: 'off', LOG_LEVEL: 'silent' }
  return serve({ ...testSecrets(), ...settingsOf(app.deps.config), ...programs })
}

async function stream(url: string, { token }: Actor, body: Readable): Promise<number | undefined> {
  const sending = request(`${url}/api/v1/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': FORM_TYPE },
  })
  const answered = once(sending, 'response').then(
    ([answer]) => {
      answer.resume()
      return answer.statusCode as number
    },
    () => undefined,
  )
  await pipeline(body, sending).catch(() => {})
  return answered
}

const [OPENING, CLOSING] = (() => {
  const whole = form(part('file', '|', { fileName: 'a' }))
  const separator = whole.indexOf('|')
  return [whole.subarray(0, separator), whole.subarray(separator + 1)] as const
})()

/** Yields a form with a file of about `megabytes` MiB. The form ends only after `end` resolves. */
async function* formOf(megabytes: number, end?: Promise<unknown>): AsyncGenerator<Buffer> {
  yield Buffer.concat([OPENING, makeBrokenMp4(64)])
  const filler = Buffer.alloc(MIB, 7)
  for (let i = 0; i < megabytes; i++) yield filler
  await end
  yield CLOSING
}

test('returns 507 and leaves nothing when the disk is full, and works again when there is space', async (t) => {
  const disk = mountDisk(48 * MIB)
  if (!disk) return t.skip('mounting is not permitted')
  const dataDir = join(disk, 'data')
  mkdirSync(dataDir)
  const app = await startApp({ DATA_DIR: dataDir })
  const ana = await app.user()
  const countFiles = async () => app.count('files')
  const free = () => {
    const { bavail, bsize } = statfsSync(disk)
    return bavail * bsize
  }
  const first = await makeUpload(ana, makeBrokenMp4(16 * MIB))
  const before = await countFiles()
  assertError(await upload(ana, makeBrokenMp4(40 * MIB)), 507, 'STORAGE_FULL')
  await assertNothingLeft(app)
  // The free space is enough for the upload, but not also for its rotated copy.
  const turned = await drawing(3000, 2000)
    .composite([{ input: await sharp(noise).png().toBuffer(), tile: true }])
    .jpeg({ quality: 80 })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  await makeUpload(ana, makeBrokenMp4(Math.floor(free() - turned.length * 1.5)))
  assertError(await upload(ana, turned), 507, 'STORAGE_FULL')
  await assertNothingLeft(app)
  assert.equal(await countFiles(), before + 1)
  assert.equal((await served(app, first.url)).length, 16 * MIB)
  dataOf(await app.anon.get('/api/health'))
  await app.deps.store.remove(first.url.slice('/uploads/'.length))
  await makeUpload(ana, turned)
})

test('leaves no row and serves nothing when the process is killed during an upload', async () => {
  const app = await startApp()
  const ana = await app.user()
  const { store } = app.deps
  const rows = async () => {
    const counts = 'select (select count(*) from files) + (select count(*) from uploads) as n'
    return Number((await app.sql(counts))[0]?.['n'])
  }
  // Kills the server while it receives the file, before the end of the form, and after the whole form.
  for (const [megabytes, isOpen, afterMs] of [
    [8, true, 50],
    [1, true, 300],
    [1, false, 60],
  ] as const) {
    const server = await serveBeside(app)
    const before = await rows()
    const body = formOf(megabytes, isOpen ? server.ended : undefined)
    const status = stream(server.url, ana, Readable.from(body))
    await sleep(afterMs)
    server.child.kill('SIGKILL')
    await server.ended
    if ((await status) !== 201) assert.equal(await rows(), before)
    // A file stored shortly before the kill may have no row, but it must be complete.
    for await (const { path } of store.list('')) {
      const bytes = await buffer(await store.read(path))
      assert.equal(path, `${createHash('sha256').update(bytes).digest('hex')}.mp4`)
    }
  }
  const bytes = await makePng()
  assert.deepEqual(await served(app, (await makeUpload(ana, bytes)).url), bytes)
})

test('does not use more memory for larger files', {
  skip:
    (process.platform !== 'linux' && 'reads /proc') ||
    (ENGINE === 'postgres' && 'does not depend on the database'),
}, async () => {
  const app = await startApp()
  const ana = await app.user()
  const server = await serveBeside(app)
  cleanups.push(() => server.child.kill('SIGKILL'))
  const residentMib = (field: string) => {
    const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  }
  // The first upload loads libraries. Their memory must not count as memory of the large upload.
  await stream(server.url, ana, Readable.from(formOf(1)))
  const before = residentMib('VmRSS')
  assert.equal(await stream(server.url, ana, Readable.from(formOf(256))), 201)
  const grown = residentMib('VmHWM') - before
  assert.ok(grown < 64, `${Math.round(grown)} MiB more`)
  server.child.kill('SIGTERM')
  await server.ended
})
