import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { startApp } from '../../test/app.ts'
import { assertInvalid, dataOf } from '../../test/make.ts'
import { assertNothingLeft, drawing, pngChunk, served, upload } from '../../test/uploads.ts'
import { openPicture } from './libvips.ts'
import { temporaryFolder } from '../../test/files.ts'

const app = await startApp()
const ana = await app.user()
const MIB = 1024 * 1024

/**
 * Returns the milliseconds of CPU time that this thread used during `action`. The server runs in the same
 * thread.
 */
async function busyWith(action: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await action()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

function box(type: string, ...parts: (Buffer | number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

test('rejects an AVIF quickly when its tables count entries without bytes', async () => {
  const infos = box(
    'iinf',
    [0, 0, 0, 0, 0, 1],
    box('infe', [2, 0, 0, 0, 0, 1, 0, 0], Buffer.from('Exif\0')),
  )
  // Ten thousand items with a thousand extents each. The offsets and lengths take no bytes.
  const items = Buffer.alloc(6 * 10_000, Buffer.from([0, 2, 0, 0, 0x03, 0xe8]))
  const places = box('iloc', [0, 0, 0, 0, 0, 0, 0x27, 0x10], items)
  const brands = Buffer.from('avif\0\0\0\0avifmif1miaf', 'latin1')
  const bytes = Buffer.concat([box('ftyp', brands), box('meta', [0, 0, 0, 0], infos, places)])
  const busy = await busyWith(async () => assertInvalid(await upload(ana, bytes), 'file'))
  assert.ok(busy < 500, `${busy} ms`)
})

test('rejects an AVIF when its tables use invalid integer sizes', async () => {
  const avif = await drawing()
    .avif()
    .withExif({ IFD0: { Make: 'A camera' } })
    .toBuffer()
  const offset = avif.indexOf('iloc') + 8
  for (const sizes of [0x14, 0x34, 0x54, 0x74, 0x94, 0xf4, 0x43, 0x4f, 0xff]) {
    const bytes = Buffer.from(avif)
    bytes.writeUInt8(sizes, offset)
    assertInvalid(await upload(ana, bytes), 'file')
  }
})

test('rejects a PNG with very many text chunks, and removes a thousand of them', async () => {
  const png = await drawing().png().toBuffer()
  const text = Buffer.alloc(12)
  text.write('tEXt', 4, 'latin1')
  text.writeUInt32BE(crc32('tEXt'), 8)
  const withTexts = (count: number) =>
    Buffer.concat([png.subarray(0, 33), Buffer.alloc(12 * count, text), png.subarray(33)])
  const { url } = dataOf(await upload(ana, withTexts(1000)), 201).upload
  assert.ok((await served(app, url)).equals(png))
  const bytes = withTexts(500_000)
  const busy = await busyWith(async () => assertInvalid(await upload(ana, bytes), 'file'))
  assert.ok(busy < 500, `${busy} ms`)
})

test('does not decompress gigabytes of text in a PNG, and still rotates it', async () => {
  const packed = deflateSync(Buffer.alloc(7 * MIB, 65))
  const text = pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), packed]))
  const texts = Array<Buffer>(900).fill(text)
  for (const [orientation, size] of [
    [1, [60, 40]],
    [6, [40, 60]],
  ] as const) {
    const png = await drawing().png().withMetadata({ orientation }).toBuffer()
    const bytes = Buffer.concat([png.subarray(0, 33), ...texts, png.subarray(33)])
    // Measures CPU time: decompressing all texts would use several seconds of it.
    const before = process.cpuUsage()
    const { width, height, url } = dataOf(await upload(ana, bytes), 201).upload
    const { user, system } = process.cpuUsage(before)
    assert.deepEqual([width, height], size)
    assert.ok((user + system) / 1000 < 1500, `${(user + system) / 1000} ms`)
    assert.ok(!(await served(app, url)).includes('zTXt'))
  }
})

test('does not render an SVG from a file, whatever its name', async () => {
  const folder = temporaryFolder('plaza-drawing-')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  const file = join(folder, 'drawing.png')
  writeFileSync(file, svg)
  await assert.rejects((await openPicture(file)).metadata(), /unsupported image format/)
  assert.equal((await (await openPicture(svg)).metadata()).width, 9)
})

test('rejects a JPEG when it has too many markers', async () => {
  const jpeg = await drawing().jpeg().toBuffer()
  const bytes = Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.alloc(2 * 30_000, Buffer.from([0xff, 0xd0])),
    jpeg.subarray(2),
  ])
  assertInvalid(await upload(ana, bytes), 'file')
})

test('scans pictures quickly and keeps them unchanged when they have millions of tiny parts', async () => {
  const [jpeg, gif] = [await drawing().jpeg().toBuffer(), await drawing().gif().toBuffer()]
  const end = Buffer.from([0xff, 0xd9])
  const cases = {
    'stuffed bytes': Buffer.concat([
      jpeg.subarray(0, -2),
      Buffer.alloc(8 * MIB, Buffer.from([0xff, 0])),
      end,
    ]),
    'fill bytes': Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(8 * MIB, 0xff), end]),
  }
  for (const [name, bytes] of Object.entries(cases)) {
    let url = ''
    const busy = await busyWith(async () => {
      url = dataOf(await upload(ana, bytes), 201).upload.url
    })
    assert.ok(busy < 1500, `${name}: ${busy} ms`)
    assert.ok((await served(app, url)).equals(bytes), name)
  }
  // A GIF comment that consists of one-byte blocks.
  const comment = [
    Buffer.from([0x21, 0xfe]),
    Buffer.alloc(8 * MIB, Buffer.from([1, 65])),
    Buffer.from([0]),
  ]
  const bytes = Buffer.concat([gif.subarray(0, -1), ...comment, Buffer.from([0x3b])])
  const busy = await busyWith(async () => {
    const { url } = dataOf(await upload(ana, bytes), 201).upload
    assert.ok((await served(app, url)).equals(gif))
  })
  assert.ok(busy < 1500, `blocks: ${busy} ms`)
})

test('leaves no temporary files', () => assertNothingLeft(app))
