import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { times } from '../../test/make.ts'
import { assertNothingLeft, makeUpload, makeWav, served } from '../../test/uploads.ts'
import { bytesOf, ffmpeg, makeVideo, NO_FFMPEG } from '../../test/videos.ts'

const app = await startApp()
const ana = await app.user()
const skip = NO_FFMPEG
const sine = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=300:duration=${seconds}`]

/** Returns a box of a media file (ISO/IEC 14496-12). */
function box(type: string, ...content: Buffer[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(8), ...content])
  bytes.writeUInt32BE(bytes.length, 0)
  bytes.write(type, 4, 'latin1')
  return bytes
}

test('records size and duration of a video in every container', { skip }, async () => {
  for (const [ending, type] of [
    ['mp4', 'video/mp4'],
    ['mov', 'video/quicktime'],
    ['webm', 'video/webm'],
  ] as const) {
    const bytes = bytesOf(makeVideo({ ending, seconds: 2 }))
    const record = await makeUpload(ana, bytes)
    const { mime_type, width, height, duration_ms, size_bytes, url } = record
    assert.deepEqual([mime_type, width, height, size_bytes], [type, 64, 48, bytes.length])
    assert.ok(Math.abs(duration_ms - 2000) < 100, `${ending}: ${duration_ms}`)
    assert.deepEqual(await served(app, url), bytes)
  }
})

test('records the displayed size of a rotated video', { skip }, async () => {
  const lying = makeVideo({ size: '64x48' })
  const upright = ffmpeg('mp4', '-i', lying, '-c', 'copy', '-metadata:s:v', 'rotate=90')
  const { width, height } = await makeUpload(ana, bytesOf(upright))
  assert.deepEqual([width, height], [48, 64])
})

test('treats a video container without video as audio', { skip }, async () => {
  for (const [args, ending, type, name] of [
    [['-c:a', 'aac', '-f', 'mp4'], 'mp4', 'audio/mp4', '.m4a'],
    [['-c:a', 'aac'], 'mov', 'audio/mp4', '.m4a'],
    [['-c:a', 'aac'], 'm4a', 'audio/mp4', '.m4a'],
    [['-c:a', 'libopus'], 'webm', 'audio/webm', '.weba'],
  ] as const) {
    const record = await makeUpload(ana, bytesOf(ffmpeg(ending, ...sine(1), ...args)))
    assert.equal(record.mime_type, type, ending)
    assert.ok(record.url.endsWith(name), record.url)
    assert.equal(record.width, null)
    assert.ok(Math.abs(record.duration_ms - 1000) < 100, ending)
    const answer = await fetch(app.url + record.url)
    assert.equal(answer.headers.get('content-type'), type)
    await answer.body?.cancel()
  }
})

test('records the duration of audio, with tags and without', { skip }, async () => {
  for (const [ending, type, ...args] of [
    ['mp3', 'audio/mpeg', '-metadata', 'title=A title'],
    ['mp3', 'audio/mpeg', '-id3v2_version', '0', '-write_xing', '0'],
    ['ogg', 'audio/ogg'],
    ['flac', 'audio/flac'],
    ['wav', 'audio/wav'],
  ] as const) {
    const record = await makeUpload(ana, bytesOf(ffmpeg(ending, ...sine(2), ...args)))
    assert.equal(record.mime_type, type)
    assert.ok(Math.abs(record.duration_ms - 2000) < 150, `${ending}: ${record.duration_ms}`)
  }
})

test('accepts a truncated or malformed file and records what can be read', {
  skip,
}, async () => {
  const webm = bytesOf(makeVideo({ ending: 'webm' }))
  const mp4 = bytesOf(makeVideo())
  for (const bytes of [
    webm.subarray(0, webm.length >> 1),
    mp4.subarray(0, mp4.length >> 1),
    mp4.subarray(0, 48),
    makeWav().subarray(0, 60),
  ]) {
    const record = await makeUpload(ana, bytes)
    assert.match(record.mime_type, /^(video|audio)\//)
    assert.deepEqual(await served(app, record.url), Buffer.from(bytes))
  }
})

test('is not blocked by files that take much time or memory to read', async () => {
  const brands = box('ftyp', Buffer.from('isom\0\0\0\0isom'))
  const full = (length: number) => Buffer.alloc(length)
  const count = full(8)
  count.writeUInt32BE(0xffffffff, 4)
  const track = (...boxes: Buffer[]) =>
    box('moov', box('trak', box('mdia', box('minf', box('stbl', ...boxes)))))
  const nested = Array.from({ length: 2000 }).reduce<Buffer>((inner) => box('moov', inner), full(8))
  const hostile = [
    Buffer.concat([brands, track(box('stsz', full(4), count), box('stts', count))]),
    Buffer.concat([brands, track(box('stco', count), box('ctts', count), box('stsc', count))]),
    Buffer.concat([brands, nested]),
    Buffer.concat([brands, ...Array<Buffer>(30_000).fill(box('free'))]),
    Buffer.concat([brands, box('moov', full(60_000_000))]),
    Buffer.concat([Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'), full(1000)]),
    Buffer.concat([Buffer.from('fLaC', 'latin1'), Buffer.alloc(100_000, 0x7f)]),
    Buffer.concat(Array<Buffer>(3000).fill(Buffer.from('OggS\0\x02'.padEnd(28, '\0'), 'latin1'))),
    Buffer.from(
      '\x1a\x45\xdf\xa3\x88\x42\x82\x84webm\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff\x11\x4d\x9b\x74\x08\x7f\xff\xff\xff',
      'latin1',
    ),
    makeWav().fill(0xff, 16, 24),
  ]
  const started = performance.now()
  const [, ...rest] = await Promise.all([
    ...hostile.map((bytes) => makeUpload(ana, bytes)),
    makeUpload(ana, makeWav(2)),
  ])
  assert.ok(performance.now() - started < 45_000)
  assert.equal(rest.length, hostile.length)
  const { duration_ms } = await makeUpload(ana, makeWav(3))
  assert.equal(duration_ms, 3000)
  await assertNothingLeft(app)
})

function replaceBox(bytes: Buffer, wanted: string, content: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let offset = 0; offset < bytes.length; offset += bytes.readUInt32BE(offset)) {
    const part = bytes.subarray(offset, offset + bytes.readUInt32BE(offset))
    const type = part.toString('latin1', 4, 8)
    if (type === wanted) parts.push(box(type, content))
    else if (!/moov|trak|mdia|minf|stbl/.test(type)) parts.push(part)
    else parts.push(box(type, replaceBox(part.subarray(8), wanted, content)))
  }
  return Buffer.concat(parts)
}

test("survives ten valid files whose tables exceed the reader's memory", {
  skip,
}, async () => {
  const durations = Buffer.alloc(8 + 2_100_000 * 8)
  durations.writeUInt32BE(2_100_000, 4)
  for (let offset = 8; offset < durations.length; offset += 8) {
    durations.writeUInt32BE(1, offset)
    durations.writeUInt32BE(1 + (offset % 7), offset + 4)
  }
  const large = replaceBox(bytesOf(makeVideo()), 'stts', durations)
  const records = await Promise.all([
    ...Array.from({ length: 10 }, (_, i) =>
      makeUpload(ana, Buffer.concat([large, box('free', Buffer.from([i]))])),
    ),
    makeUpload(ana, makeWav(4)),
  ])
  for (const { mime_type, duration_ms } of records.slice(0, -1)) {
    assert.deepEqual([mime_type, duration_ms], ['video/mp4', null])
  }
  assert.equal(records.at(-1)?.duration_ms, 4000)
  assert.equal((await makeUpload(ana, makeWav(3))).duration_ms, 3000)
  await assertNothingLeft(app)
})

test('records the duration of many files uploaded simultaneously', async () => {
  const lengths = await times(20, async (i) => {
    const seconds = 1 + (i % 5)
    return (await makeUpload(ana, makeWav(seconds))).duration_ms === seconds * 1000
  })
  assert.ok(lengths.every(Boolean))
})
