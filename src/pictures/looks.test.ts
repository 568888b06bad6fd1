import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import sharp from 'sharp'
import { startApp } from '../../test/app.ts'
import { assertInvalid } from '../../test/make.ts'
import { makeUpload, served, upload } from '../../test/uploads.ts'
import { bytesOf, ffmpeg, NO_FFMPEG } from '../../test/videos.ts'

const app = await startApp()
const ana = await app.user()

test('rotates a JPEG with at most ten percent growth and similar pixels', async () => {
  const noise = { create: { width: 320, height: 240, channels: 3, background: '#876' } } as const
  const picture = sharp(noise).composite([
    {
      input: await sharp({
        create: {
          ...noise.create,
          noise: { type: 'gaussian', mean: 128, sigma: 20 },
        },
      })
        .blur(1.5)
        .png()
        .toBuffer(),
      blend: 'overlay',
    },
  ])
  const pixels = await picture.png().toBuffer()
  for (const options of [
    { quality: 60 },
    { quality: 80, chromaSubsampling: '4:4:4' },
    { quality: 97 },
    { quality: 75, progressive: true, optimiseCoding: true },
    { quality: 80, mozjpeg: true },
  ]) {
    for (const orientation of [5, 6, 8]) {
      const bytes = await sharp(pixels).jpeg(options).withMetadata({ orientation }).toBuffer()
      const record = await makeUpload(ana, bytes)
      const growth = record.size_bytes / bytes.length
      assert.ok(growth <= 1.1, `${JSON.stringify(options)} grew to ${growth}`)
      assert.deepEqual([record.width, record.height], [240, 320])
      const raw = async (jpeg: Buffer) => sharp(jpeg).autoOrient().raw().toBuffer()
      const [was, is] = [await raw(bytes), await raw(await served(app, record.url))]
      const error = was.reduce((sum, value, index) => sum + Math.abs(value - (is[index] ?? 0)), 0)
      assert.ok(error / was.length < 6, `${JSON.stringify(options)}: ${error / was.length}`)
    }
  }
})

function framesOf(input: Buffer): string {
  const args = ['-v', 'error', '-f', 'mov', '-i', '-', '-f', 'framemd5', '-']
  return execFileSync('ffmpeg', args, { input }).toString()
}

test('keeps an animated AVIF moving without its metadata, and rejects a broken one', async (t) => {
  if (NO_FFMPEG) return t.skip(NO_FFMPEG)
  const source = ['-f', 'lavfi', '-i', 'testsrc=duration=1:rate=10:size=64x48']
  const metadata = ['-metadata', 'title=Where I live', '-metadata', 'comment=Secret']
  const encoder = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-f', 'avif']
  const bytes = bytesOf(ffmpeg('avif', source, metadata, encoder))
  assert.equal(bytes.toString('latin1', 4, 12), 'ftypavis')
  // A metadata box at the end of the file, where some programs write it.
  const box = Buffer.from('\0\0\0\x20udtaSecret: Where I live   ', 'latin1')
  for (const film of [bytes, Buffer.concat([bytes, box])]) {
    const record = await makeUpload(ana, film)
    assert.deepEqual([record.mime_type, record.width, record.height], ['image/avif', 64, 48])
    const stored = await served(app, record.url)
    assert.equal(stored.toString('latin1', 4, 12), 'ftypavis')
    assert.ok(!stored.includes('Where I live') && !stored.includes('Secret'))
    assert.equal(framesOf(stored), framesOf(bytes))
  }
  assertInvalid(await upload(ana, bytes.subarray(0, bytes.length / 2)), 'file')
})
