import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import sharp from 'sharp'
import { ffmpeg, makeVideo, NO_FFMPEG, probeMedia } from '../../test/videos.ts'
import { convert } from './convert.ts'
import { type Ffmpeg, findFfmpeg } from './ffmpeg.ts'
import { POSTER_FILE } from './poster.ts'
import { temporaryFolder } from '../../test/files.ts'

const log = pino({ level: 'silent' })
const searchPath = process.env['PATH'] ?? ''
const tools = (await findFfmpeg('ffmpeg', { searchPath, log })) as Ffmpeg
const root = temporaryFolder('plaza-colours-')

const NO_TONES = NO_FFMPEG || (tools.mapsTones ? false : 'ffmpeg has no zscale')

async function run(localFile: string, using: Ffmpeg = tools) {
  const folder = mkdtempSync(join(root, 'made-'))
  const control = { signal: new AbortController().signal, progress: () => {} }
  const made = await convert(using, { localFile, mimeType: 'video/mp4' }, { folder, control })
  return { ...made, files: made.renditions.map(({ name }) => join(folder, name)), folder }
}

type Colour = readonly [number, number, number]
const SIDE = 64
const PATCHES: readonly Colour[] = [
  [96, 127, 160],
  [190, 158, 126],
  [46, 94, 46],
  [190, 40, 40],
]
const BT709 = ['bt709', 'bt709', 'bt709', 'tv', 'yuv420p']
const SDR_709 =
  'scale=out_color_matrix=bt709:out_range=tv,format=yuv444p10le,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709'

function makePatches(filters: string, args: string[], height = SIDE): string {
  const colours = PATCHES.map((patch) => Buffer.from(patch).toString('hex'))
  const sources = colours.map(
    (hex, index) => `color=c=0x${hex}:s=${SIDE}x${height}:d=0.4:r=5[c${index}]`,
  )
  const row = `${colours.map((_, index) => `[c${index}]`).join('')}hstack=${colours.length}`
  return ffmpeg(
    'mp4',
    ['-filter_complex', `${sources.join(';')};${row},format=gbrp,${filters}`],
    ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '2'],
    args,
  )
}

function makeHdr(transfer: string, tags = true): string {
  return makePatches(
    `${SDR_709},zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt2020:t=${transfer}:m=bt2020nc:r=tv:npl=203,format=yuv420p10le${tags ? '' : ',setparams=color_primaries=unknown:colorspace=unknown'}`,
    [],
  )
}

function tagsOf(file: string) {
  const [video] = probeMedia(readFileSync(file)).streams as unknown as Record<string, string>[]
  const { color_primaries, color_transfer, color_space, color_range, pix_fmt } = video ?? {}
  return [color_primaries, color_transfer, color_space, color_range, pix_fmt]
}

async function assertPatches(picture: string | Buffer, tolerance: number, isUpright = false) {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const length = isUpright ? info.height : info.width
  const shown = PATCHES.map((_, index) => {
    const along = Math.floor(((index + 0.5) * length) / PATCHES.length)
    const [x, y] = isUpright
      ? [Math.floor(info.width / 2), along]
      : [along, Math.floor(info.height / 2)]
    return [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)]
  })
  const worst = (patches: readonly Colour[]) =>
    Math.max(...patches.flat().map((value, index) => Math.abs(value - (shown.flat()[index] ?? 0))))
  // In a rotated video the patches may be in either order.
  const error = Math.min(worst(PATCHES), ...(isUpright ? [worst(PATCHES.toReversed())] : []))
  assert.ok(error <= tolerance, `${JSON.stringify(shown)} is off by ${error}`)
}

/** Decodes a frame like a player that follows the file's colour tags. */
function frameOf(file: string): Buffer {
  const matrix = 'scale=in_color_matrix=auto,format=rgb24'
  return execFileSync(
    'ffmpeg',
    [
      '-v',
      'error',
      '-i',
      file,
      '-vf',
      matrix,
      '-frames:v',
      '1',
      '-f',
      'image2',
      '-c:v',
      'png',
      '-',
    ],
    { stdio: 'pipe' },
  )
}

async function assertLooks(localFile: string, tolerance: number, isUpright = false) {
  const made = await run(localFile)
  assert.ok(made.files.length > 0)
  for (const file of made.files) {
    assert.deepEqual(tagsOf(file), BT709)
    await assertPatches(frameOf(file), tolerance, isUpright)
  }
  await assertPatches(join(made.folder, POSTER_FILE), tolerance, isUpright)
}

describe('colours', { skip: NO_TONES }, () => {
  test('renditions and posters of PQ and HLG video look like the SDR reference', async () => {
    for (const transfer of ['smpte2084', 'arib-std-b67']) {
      const source = makeHdr(transfer)
      assert.equal(tagsOf(source)[1], transfer)
      await assertLooks(source, 6)
    }
  })

  test('treats HDR video without other tags as BT.2020', async () => {
    await assertLooks(makeHdr('smpte2084', false), 6)
  })

  test('rotates and tone-maps portrait HDR video from phones', async () => {
    const source = makeHdr('arib-std-b67')
    const turned = ffmpeg('mp4', '-i', source, '-c', 'copy', '-metadata:s:v', 'rotate=90')
    await assertLooks(turned, 6, true)
  })

  test('wide-gamut, full-range and untagged SDR video looks unchanged', async () => {
    const wide = 'zscale=p=bt2020:t=bt709:m=bt2020nc:r=tv,format=yuv420p10le'
    await assertLooks(makePatches(`${SDR_709},${wide}`, []), 6)
    const full =
      'scale=out_color_matrix=bt709:out_range=pc,format=yuvj420p,setparams=range=pc:colorspace=bt709'
    await assertLooks(makePatches(full, []), 6)
    const none =
      'setparams=range=unknown:color_primaries=unknown:color_trc=unknown:colorspace=unknown'
    const small = `scale=out_color_matrix=smpte170m:out_range=tv,format=yuv420p,${none}`
    await assertLooks(makePatches(small, []), 6)
    const large = `scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,${none}`
    await assertLooks(makePatches(large, [], 720), 6)
    await assertLooks(makePatches('format=gbrp', ['-c:v', 'libx264rgb']), 6)
  })
})

test('HDR video keeps its tags when ffmpeg cannot map tones', { skip: NO_TONES }, async () => {
  const made = await run(makeHdr('smpte2084'), { ...tools, mapsTones: false })
  const [file = ''] = made.files
  assert.deepEqual(tagsOf(file), ['bt2020', 'smpte2084', 'bt2020nc', 'tv', 'yuv420p'])
})

function countFrames(file: string) {
  const { stderr } = spawnSync(
    'ffmpeg',
    ['-hide_banner', '-nostats', '-i', file, '-vf', 'idet', '-an', '-f', 'null', '-'],
    { encoding: 'utf8' },
  )
  const counts = /Multi frame detection: TFF: *(\d+) BFF: *(\d+) Progressive: *(\d+)/.exec(stderr)
  const [top = NaN, bottom = NaN, progressive = NaN] = counts?.slice(1).map(Number) ?? []
  return { interlaced: top + bottom, progressive }
}

describe('interlaced video', { skip: NO_FFMPEG }, () => {
  const makeInterlaced = (size: string, rate: string, first: 'tff' | 'bff') =>
    ffmpeg(
      'mp4',
      // A test picture with vertical edges that move sideways: only interlaced frames show comb artefacts.
      ['-f', 'lavfi', '-i', `smptebars=size=${size}:rate=${rate}:duration=1`],
      ['-vf', `scroll=h=0.01,interlace=scan=${first}:lowpass=off`, '-pix_fmt', 'yuv420p'],
      ['-c:v', 'libx264', '-preset', 'ultrafast', '-x264opts', `${first}=1`],
    )

  test('no rendition has an interlaced frame, whichever field is first', async () => {
    for (const [size, rate, first] of [
      ['1280x720', '50', 'tff'],
      ['720x480', '60000/1001', 'bff'],
    ] as const) {
      const source = makeInterlaced(size, rate, first)
      assert.ok(countFrames(source).interlaced > 10)
      for (const file of (await run(source)).files) {
        const { interlaced, progressive } = countFrames(file)
        assert.equal(interlaced, 0, `${size} ${rate} ${first}`)
        assert.ok(progressive > 20)
        const [video] = probeMedia(readFileSync(file)).streams as { field_order?: string }[]
        assert.equal(video?.field_order, 'progressive')
      }
    }
  })

  test('keeps the fine lines of progressive video', async () => {
    const lines = "format=gray,geq=lum='255*mod(Y\\,2)',format=yuv420p"
    const made = await run(makeVideo({ size: '64x48', sound: false, args: ['-vf', lines] }))
    const [file = ''] = made.files
    const { data, info } = await sharp(frameOf(file))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const [upper = 0, lower = 0] = [data[20 * info.width + 30], data[21 * info.width + 30]]
    assert.ok(Math.abs(upper - lower) > 150, `${upper} and ${lower} differ too little`)
  })
})
