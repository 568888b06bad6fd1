import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { startApp } from '../../test/app.ts'
import { assertInvalid, times } from '../../test/make.ts'
import {
  assertNothingLeft,
  drawing,
  makeUpload,
  pngChunk,
  served,
  upload,
} from '../../test/uploads.ts'

const app = await startApp()
const ana = await app.user()
const FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const
const EXIF = {
  IFD0: { Make: 'A camera', Copyright: 'somebody' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '37/1 33/1 0/1' },
}
const XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description/></rdf:RDF></x:xmpmeta>'

async function pixelAt(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const pixel = await sharp(bytes)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer()
  return [...pixel]
}

function assertClose(actual: number[], expected: number[], message: string): void {
  const isClose = expected.every((value, index) => Math.abs(value - (actual[index] ?? -1)) < 40)
  assert.ok(isClose, `${message}: ${actual.join()} is not about ${expected.join()}`)
}

const RED = [0xc8, 0x32, 0x14]
const BLUE = [0x14, 0x32, 0xc8]

/** Returns an animation of three frames, each 60 by 40 pixels. */
async function animation(): Promise<Sharp> {
  const still = () => drawing().raw().toBuffer()
  const frames = [await still(), await drawing().negate().raw().toBuffer(), await still()]
  return sharp(Buffer.concat(frames), {
    raw: { width: 60, height: 120, channels: 3, pageHeight: 40 },
  })
}

function gifWith(gif: Buffer, extension: Buffer): Buffer {
  const flags = gif.readUInt8(10)
  const offset = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  return Buffer.concat([gif.subarray(0, offset), extension, gif.subarray(offset)])
}

function pngOfSize(png: Buffer, width: number, height: number): Buffer {
  const sized = Buffer.from(png)
  sized.writeUInt32BE(width, 16)
  sized.writeUInt32BE(height, 20)
  let crc = 0xffffffff
  for (const byte of sized.subarray(12, 29)) {
    crc ^= byte
    for (let i = 0; i < 8; i++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  sized.writeUInt32BE((crc ^ 0xffffffff) >>> 0, 29)
  return sized
}

test('stores a picture without metadata unchanged', async () => {
  const animated = await animation()
  const files = [
    ...(await Promise.all(FORMATS.map((format) => drawing().toFormat(format).toBuffer()))),
    await drawing().jpeg({ progressive: true }).toBuffer(),
    await drawing().withIccProfile('p3').jpeg().toBuffer(),
    await drawing().png({ palette: true }).toBuffer(),
    await drawing().webp({ lossless: true }).toBuffer(),
    await drawing().ensureAlpha(0.5).webp().toBuffer(),
    await drawing().gif().toBuffer(),
    await animated
      .clone()
      .gif({ loop: 3, delay: [100, 200, 300] })
      .toBuffer(),
    await animated
      .clone()
      .webp({ loop: 3, delay: [100, 200, 300] })
      .toBuffer(),
  ]
  for (const bytes of files) {
    const { url, width, height, sha256, size_bytes } = await makeUpload(ana, bytes)
    assert.deepEqual([width, height], [60, 40], url)
    assert.ok((await served(app, url)).equals(bytes), url)
    assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'))
    assert.equal(size_bytes, bytes.length)
  }
})

test('removes location, camera and other metadata, and keeps colours and pixels', async () => {
  for (const format of FORMATS) {
    const bytes = await drawing()
      .toFormat(format)
      .withExif(EXIF)
      .withXmp(XMP)
      .withIccProfile('p3')
      .toBuffer()
    const before = await sharp(bytes).metadata()
    assert.ok(before.exif && before.xmp && before.icc, format)
    const { url, sha256, size_bytes } = await makeUpload(ana, bytes)
    const stored = await served(app, url)
    const after = await sharp(stored).metadata()
    assert.deepEqual([after.exif, after.xmp, after.iptc], [undefined, undefined, undefined], format)
    assert.deepEqual(after.icc, before.icc, `${format} must keep its colours`)
    assert.doesNotMatch(stored.toString('latin1'), /somebody|A camera|xmpmeta/)
    assert.equal(sha256, createHash('sha256').update(stored).digest('hex'))
    assert.equal(size_bytes, stored.length)
    const [was, is] = [await sharp(bytes).raw().toBuffer(), await sharp(stored).raw().toBuffer()]
    assert.ok(was.equals(is), `${format} must keep every pixel`)
  }
  await assertNothingLeft(app)
})

test('removes texts from PNG and comments from JPEG and GIF', async () => {
  const png = await drawing().png().toBuffer()
  // A text chunk without its checksum: length, name and text.
  const text = Buffer.from('\0\0\0\x0ctEXtAuthor\0Secret', 'latin1')
  text.writeUInt32BE(text.length - 8, 0)
  const withText = Buffer.concat([png.subarray(0, 33), text, Buffer.alloc(4), png.subarray(33)])
  const jpeg = await drawing().jpeg().toBuffer()
  const comment = Buffer.from('\xff\xfe\0\x08Secret', 'latin1')
  const gif = await drawing().gif().toBuffer()
  const said = Buffer.from('\x21\xfe\x06Secret\0', 'latin1')
  const xmp = Buffer.from('\x21\xff\x0bXMP DataXMP\x06Secret\0', 'latin1')
  for (const [dirty, clean] of [
    [withText, png],
    [Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]), jpeg],
    [gifWith(gif, said), gif],
    [gifWith(gif, xmp), gif],
  ] as const) {
    assert.ok((await served(app, (await makeUpload(ana, dirty)).url)).equals(clean))
  }
})

test('removes the preview of a JPEG and keeps its density', async () => {
  const jpeg = await drawing().jpeg().toBuffer()
  const rest = jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xdb])))
  // Start of a JPEG with a JFIF header, up to the density. The size of the preview comes next.
  const head = Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x02\x01\0\x90\0\x90', 'latin1')
  const clean = Buffer.concat([head, Buffer.from([0, 0]), rest])
  const bytes = Buffer.concat([head, Buffer.from([4, 3]), Buffer.alloc(36, 'Secret'), rest])
  bytes.writeUInt16BE(16 + 36, 4)
  assert.ok((await served(app, (await makeUpload(ana, clean)).url)).equals(clean))
  const stored = await served(app, (await makeUpload(ana, bytes)).url)
  assert.ok(stored.equals(clean))
  assert.equal((await sharp(stored).metadata()).density, 144)
})

test('keeps only the boxes that belong to an AVIF picture, and nothing after it', async () => {
  const box = (type: string, words: string) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + words.length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, Buffer.from(words)])
  }
  const avif = await drawing().avif().toBuffer()
  // A box in which some programs store XMP.
  const xmp = box('uuid', '0123456789abcdef<x:xmpmeta>Secret</x:xmpmeta>')
  const film = Buffer.concat([box('ftyp', 'isom'), box('mdat', 'Secret'), box('moov', 'Secret')])
  const words = ['Secret', '<?php 1', '\0\0\0\x01odd'].map((text) => Buffer.from(text))
  const parts = Buffer.concat([box('udta', 'Secret'), box('moov', 'Secret'), box('mdat', 'Secret')])
  for (const dirty of [xmp, box('free', 'Secret'), film, parts, ...words]) {
    const stored = await served(app, (await makeUpload(ana, Buffer.concat([avif, dirty]))).url)
    assert.ok(stored.equals(avif), dirty.toString())
  }
  // Sets the length of the last box to zero. Such a box extends to the end of the picture.
  const open = Buffer.from(avif)
  open.writeUInt32BE(0, open.indexOf('mdat') - 4)
  const cut = await served(app, (await makeUpload(ana, Buffer.concat([open, film]))).url)
  assert.ok(cut.equals(open))
  // Removing metadata from an animation must not move later boxes, because tables contain file offsets.
  const moving = Buffer.from(avif)
  moving.write('avis', moving.indexOf('miaf'), 'latin1')
  const inside = Buffer.concat([moving, box('udta', 'Secret'), box('mdat', 'more')])
  const stored = await served(app, (await makeUpload(ana, inside)).url)
  assert.equal(stored.length, inside.length)
  assert.equal(stored.toString('latin1', avif.length + 4, avif.length + 14), 'free\0\0\0\0\0\0')
  const [was, is] = [await sharp(avif).raw().toBuffer(), await sharp(stored).raw().toBuffer()]
  assert.ok(was.equals(is), 'must keep every pixel')
})

test('rotates a picture when only its Exif data says so', async () => {
  for (const format of FORMATS) {
    for (const [orientation, width, height, topLeft] of [
      [3, 60, 40, BLUE],
      [6, 40, 60, RED],
      [8, 40, 60, BLUE],
    ] as const) {
      const bytes = await drawing().toFormat(format).withMetadata({ orientation }).toBuffer()
      const record = await makeUpload(ana, bytes)
      assert.deepEqual([record.width, record.height], [width, height], `${format} ${orientation}`)
      const stored = await served(app, record.url)
      assert.equal((await sharp(stored).metadata()).orientation, undefined)
      assertClose(await pixelAt(stored, 2, 2), [...topLeft], `${format} ${orientation}`)
    }
  }
})

test('keeps an animation moving, also when its metadata is removed', async () => {
  const timing = { loop: 3, delay: [100, 200, 300] }
  const webp = await (await animation()).webp(timing).withExif(EXIF).toBuffer()
  const gif = gifWith(
    await (await animation()).gif(timing).toBuffer(),
    Buffer.from('\x21\xfe\x06Secret\0', 'latin1'),
  )
  for (const bytes of [webp, gif]) {
    const { url, width, height } = await makeUpload(ana, bytes)
    assert.deepEqual([width, height], [60, 40])
    const stored = await sharp(await served(app, url), { pages: -1 }).metadata()
    assert.deepEqual([stored.pages, stored.loop, stored.delay], [3, 3, [100, 200, 300]])
    assert.equal(stored.exif, undefined)
  }
})

test('keeps an animated PNG moving without its metadata', async () => {
  const png = await drawing().png().withMetadata({ orientation: 6 }).toBuffer()
  const pixels = png.subarray(png.indexOf('IDAT') + 4, png.indexOf('IEND') - 8)
  const control = (sequence: number) => {
    const bytes = Buffer.alloc(26)
    ;[sequence, 60, 40].forEach((value, i) => bytes.writeUInt32BE(value, 4 * i))
    return pngChunk('fcTL', bytes)
  }
  const counts = Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])
  const frames = [
    pngChunk('acTL', counts),
    control(0),
    pngChunk('IDAT', pixels),
    control(1),
    pngChunk('fdAT', Buffer.concat([Buffer.from([0, 0, 0, 2]), pixels])),
  ]
  const [start, end] = [png.indexOf('IDAT') - 4, png.indexOf('IEND') - 4]
  const moving = Buffer.concat([png.subarray(0, start), ...frames, png.subarray(end)])
  assert.ok(moving.includes('eXIf'))
  const { url, width, height } = await makeUpload(ana, moving)
  const stored = await served(app, url)
  assert.deepEqual([width, height], [60, 40])
  for (const frame of frames) assert.ok(stored.includes(frame))
  assert.ok(!stored.includes('eXIf'))
})

test('makes an upright WebP thumbnail of at most 640 pixels, never larger than the picture', async () => {
  for (const [width, height, turned, size] of [
    [1600, 800, 1, [640, 320]],
    [800, 1600, 1, [320, 640]],
    [1600, 800, 6, [320, 640]],
    [60, 40, 1, [60, 40]],
  ] as const) {
    const bytes = await drawing(width, height)
      .jpeg()
      .withMetadata({ orientation: turned })
      .toBuffer()
    const { sha256 } = await makeUpload(ana, bytes)
    const path = String(
      await app.value(`select thumbnail_path from files where sha256 = '${sha256}'`),
    )
    const answer = await fetch(`${app.url}/uploads/${path}`)
    assert.equal(answer.headers.get('content-type'), 'image/webp')
    const thumbnail = Buffer.from(await answer.arrayBuffer())
    assert.equal(path, `${createHash('sha256').update(thumbnail).digest('hex')}.webp`)
    const shown = await sharp(thumbnail).metadata()
    assert.deepEqual([shown.format, shown.width, shown.height], ['webp', ...size])
    assert.equal(shown.exif, undefined)
  }
})

test('rejects a picture with too many pixels by its header, without decoding it', async () => {
  const png = await drawing().png().toBuffer()
  const gif = await drawing().gif().toBuffer()
  gif.writeUInt16LE(65_000, 6)
  gif.writeUInt16LE(65_000, 8)
  // Measures CPU time, because other processes may slow the machine down.
  const before = process.cpuUsage()
  for (const bytes of [pngOfSize(png, 50_000, 50_000), pngOfSize(png, 10_001, 10_000), gif]) {
    const answer = await upload(ana, bytes)
    assertInvalid(answer, 'file')
    assert.match(answer.error?.details?.[0]?.message ?? '', /100/)
  }
  const { user, system } = process.cpuUsage(before)
  assert.ok((user + system) / 1000 < 1500)
  await assertNothingLeft(app)
})

test('rejects an animation with too many frames, and one that is cut off', async () => {
  const gif = await drawing().gif().toBuffer()
  const frames = gif.subarray(gif.indexOf(0x2c, 13 + 3 * 2 ** ((gif.readUInt8(10) & 7) + 1)), -1)
  const head = gif.subarray(0, gif.length - 1 - frames.length)
  const endless = Buffer.concat([head, ...Array<Buffer>(6000).fill(frames)])
  assertInvalid(await upload(ana, endless), 'file')
  assertInvalid(await upload(ana, Buffer.concat([head, frames, frames])), 'file')
  const webp = await (await animation()).webp().toBuffer()
  assertInvalid(await upload(ana, webp.subarray(0, webp.length - 20)), 'file')
  await assertNothingLeft(app)
})

test('accepts or rejects damaged pictures without other errors', async () => {
  const originals = await Promise.all(
    FORMATS.map((format) => drawing().toFormat(format).toBuffer()),
  )
  originals.push(await drawing().gif().toBuffer(), await (await animation()).webp().toBuffer())
  await times(120, async (i) => {
    const bytes = Buffer.from(originals[i % originals.length] as Buffer)
    const offset = 12 + ((i * 7919) % (bytes.length - 12))
    bytes.writeUInt8((bytes.readUInt8(offset) + 1 + (i % 200)) & 0xff, offset)
    const { status, text } = await upload(ana, bytes)
    assert.ok(status === 201 || status === 422, text)
  })
  await assertNothingLeft(app)
})
