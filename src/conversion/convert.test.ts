import assert from 'node:assert/strict'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import sharp from 'sharp'
import { ffmpeg, makeVideo, NO_FFMPEG, probeMedia } from '../../test/videos.ts'
import { JobFailed } from '../jobs/rules.ts'
import { type Conversion, convert } from './convert.ts'
import { type Ffmpeg, findFfmpeg } from './ffmpeg.ts'
import { ladderFor } from './ladder.ts'
import { valuesOf } from '../../test/make.ts'
import { temporaryFolder } from '../../test/files.ts'

const log = pino({ level: 'silent' })
const searchPath = process.env['PATH'] ?? ''
const tools = (await findFfmpeg('ffmpeg', { searchPath, log })) as Ffmpeg
const root = temporaryFolder('plaza-convert-')

interface Converted extends Conversion {
  folder: string
  progress: number[]
}

async function run(
  localFile: string,
  { mimeType = 'video/mp4', signal = new AbortController().signal, onProgress = () => {} } = {},
): Promise<Converted> {
  const folder = mkdtempSync(join(root, 'made-'))
  const progress: number[] = []
  const control = {
    signal,
    progress: (share: number) => {
      progress.push(share)
      onProgress()
    },
  }
  const made = await convert(tools, { localFile, mimeType }, { folder, control })
  return { ...made, folder, progress }
}

function read({ folder }: Converted, name: string): Buffer {
  return readFileSync(join(folder, name))
}

function sizesOf({ renditions }: Conversion): (string | null)[] {
  return renditions.map(({ name, width, height }) => `${name} ${width}x${height}`)
}

const failsWith = (code: string) => (error: unknown) =>
  error instanceof JobFailed
    ? error.code === code || assert.fail(error.message)
    : assert.fail(String(error))

describe('the sizes of a conversion', () => {
  const names = (width: number, height: number) =>
    ladderFor({ width, height }).map((step) => `${step.name} ${step.width}x${step.height}`)

  test('are at most three, chosen by the shorter side, and never exceed the source', () => {
    assert.deepEqual(names(1920, 1080), ['1080p 1920x1080', '720p 1280x720', '480p 852x480'])
    assert.deepEqual(names(3840, 2160), names(1920, 1080))
    assert.deepEqual(names(1080, 1920), ['1080p 1080x1920', '720p 720x1280', '480p 480x852'])
    assert.deepEqual(names(1280, 720), ['720p 1280x720', '480p 852x480'])
    assert.deepEqual(names(854, 480), ['480p 854x480'])
  })

  test('are those of a small source, rounded down to even', () => {
    assert.deepEqual(names(321, 241), ['own 320x240'])
    assert.deepEqual(names(1, 1), ['own 2x2'])
    assert.deepEqual(names(8000, 100), ['own 3840x48'])
  })
})

describe('a conversion', { skip: NO_FFMPEG }, () => {
  test('makes H.264 and AAC with the index first and without metadata', async () => {
    const made = await run(
      makeVideo({
        size: '320x240',
        seconds: 2,
        args: ['-metadata', 'title=Where I live', '-metadata', 'location=+37.5+127.0/'],
      }),
    )
    assert.deepEqual(sizesOf(made), ['own.mp4 320x240'])
    const bytes = read(made, 'own.mp4')
    assert.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'))
    assert.ok(!bytes.includes('Where I live') && !bytes.includes('+37.5'))
    const { streams, format } = probeMedia(bytes)
    assert.deepEqual(
      streams.map(({ codec_name, width, height, pix_fmt }) => [codec_name, width, height, pix_fmt]),
      [
        ['h264', 320, 240, 'yuv420p'],
        ['aac', undefined, undefined, undefined],
      ],
    )
    assert.ok(Math.abs(Number(format.duration) - 2) < 0.2)
    assert.equal(
      made.progress.every((share) => share >= 0 && share <= 1),
      true,
    )
  })

  test('applies the rotation of the source once', async () => {
    const lying = makeVideo({
      size: '64x48',
      args: [
        '-vf',
        'drawbox=x=0:w=32:h=48:color=red:t=fill,drawbox=x=32:w=32:h=48:color=blue:t=fill',
      ],
    })
    const turned = ffmpeg('mp4', '-i', lying, '-c', 'copy', '-metadata:s:v', 'rotate=90')
    const made = await run(turned)
    assert.deepEqual(sizesOf(made), ['own.mp4 48x64'])
    const [video] = probeMedia(read(made, 'own.mp4')).streams
    assert.deepEqual([video?.width, video?.height, video?.side_data_list], [48, 64, undefined])
    const { data } = await sharp(read(made, 'poster.webp'))
      .raw()
      .toBuffer({ resolveWithObject: true })
    // After a rotation by 90 degrees, the top row shows only one half of the picture. Both ends of the row are then
    // equal.
    const left = data.subarray(0, 3).toString('hex')
    const right = data.subarray(47 * 3, 47 * 3 + 3).toString('hex')
    const below = data.subarray(63 * 48 * 3, 63 * 48 * 3 + 3).toString('hex')
    assert.equal(left[0], right[0])
    assert.notEqual(left, below)
  })

  test('keeps portrait video as sharp as landscape', async () => {
    const made = await run(makeVideo({ size: '720x1280', rate: 5 }))
    assert.deepEqual(sizesOf(made), ['720p.mp4 720x1280', '480p.mp4 480x852'])
  })

  test('accepts odd sizes, silent video, WebM and 4:4:4 colour', async () => {
    assert.deepEqual(
      sizesOf(await run(makeVideo({ size: '65x49', sound: false, args: ['-pix_fmt', 'yuv444p'] }))),
      ['own.mp4 64x48'],
    )
    const silent = await run(makeVideo({ sound: false }))
    assert.deepEqual(valuesOf(probeMedia(read(silent, 'own.mp4')).streams, 'codec_type'), ['video'])
    const webm = await run(makeVideo({ ending: 'webm' }), { mimeType: 'video/webm' })
    assert.deepEqual(sizesOf(webm), ['own.mp4 64x48'])
    // Browsers record WebM without a duration in its header.
    const recorded = makeVideo({ ending: 'webm', args: ['-f', 'webm', '-live', '1'] })
    const live = await run(recorded, { mimeType: 'video/webm' })
    assert.deepEqual(sizesOf(live), ['own.mp4 64x48'])
  })

  test('converts audio files to AAC', async () => {
    const alac = ffmpeg('m4a', '-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'alac')
    const made = await run(alac, { mimeType: 'audio/mp4' })
    const sizeBytes = read(made, 'audio.m4a').length
    assert.deepEqual(made.parts, [
      { name: 'audio.m4a', mimeType: 'audio/mp4', sizeBytes, width: null, height: null },
    ])
    assert.equal(made.poster, null)
    const { streams } = probeMedia(read(made, 'audio.m4a'))
    assert.deepEqual(valuesOf(streams, 'codec_name'), ['aac'])
  })

  test('takes a bright frame as poster when the video begins black', async () => {
    const video = makeVideo({
      seconds: 4,
      args: ['-vf', 'drawbox=w=iw:h=ih:color=black:t=fill:enable=lt(t\\,1.2)'],
    })
    const made = await run(video)
    const { channels } = await sharp(read(made, 'poster.webp')).greyscale().stats()
    assert.ok((channels[0]?.mean ?? 0) > 40, `${channels[0]?.mean}`)
    const metadata = await sharp(read(made, 'poster.webp')).metadata()
    assert.deepEqual([metadata.format, metadata.width, metadata.height], ['webp', 64, 48])
  })

  test('adds a stream from the same encoding to videos longer than a minute', async () => {
    const made = await run(makeVideo({ seconds: 65, rate: 5 }))
    assert.deepEqual(
      made.renditions.map(({ name, mimeType }) => [name, mimeType]),
      [
        ['own.mp4', 'video/mp4'],
        ['hls/master.m3u8', 'application/vnd.apple.mpegurl'],
      ],
    )
    assert.deepEqual(valuesOf(made.parts, 'name'), [
      'own.mp4',
      'poster.webp',
      'hls/own.mp4',
      'hls/own.m3u8',
      'hls/master.m3u8',
    ])
    const master = read(made, 'hls/master.m3u8').toString()
    assert.match(
      master,
      /RESOLUTION=64x48,CODECS="avc1\.6400[0-9a-f]{2},mp4a\.40\.2"\nown\.m3u8\n$/,
    )
    const playlist = read(made, 'hls/own.m3u8').toString()
    assert.match(playlist, /#EXT-X-MAP:URI="own\.mp4",BYTERANGE=/)
    assert.ok(playlist.endsWith('#EXT-X-ENDLIST\n'))
    const lengths = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map((match) => Number(match[1]))
    assert.ok(lengths.length > 8 && Math.max(...lengths) <= 6.5, String(lengths))
    assert.ok(Math.abs(lengths.reduce((sum, length) => sum + length, 0) - 65) < 1)
    const end = [...playlist.matchAll(/#EXT-X-BYTERANGE:(\d+)@(\d+)/g)].at(-1)
    assert.equal(
      Number(end?.[1]) + Number(end?.[2]),
      statSync(join(made.folder, 'hls/own.mp4')).size,
    )
    assert.ok(made.progress.some((share) => share > 0.1 && share < 0.9))
  })
})

describe('a conversion fails for', { skip: NO_FFMPEG }, () => {
  test('truncated files and other data', async () => {
    const cut = makeVideo({ seconds: 4, size: '160x120', args: ['-movflags', '+faststart'] })
    truncateSync(cut, Math.floor(statSync(cut).size / 2))
    await assert.rejects(run(cut), failsWith('broken_file'))
    const noIndex = makeVideo({ seconds: 2 })
    truncateSync(noIndex, Math.floor(statSync(noIndex).size / 2))
    await assert.rejects(run(noIndex), failsWith('broken_file'))
    const noise = join(root, 'noise.mp4')
    writeFileSync(
      noise,
      Buffer.concat([readFileSync(makeVideo()).subarray(0, 32), Buffer.alloc(50_000, 'noise')]),
    )
    await assert.rejects(run(noise), failsWith('broken_file'))
  })

  test('files that are too long or have too many streams', async () => {
    const long = ffmpeg(
      'mp4',
      ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=1/11500:duration=23000'],
      ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-video_track_timescale', '1000'],
    )
    await assert.rejects(run(long), failsWith('too_long'))
    const many = ffmpeg(
      'mp4',
      ['-f', 'lavfi', '-i', 'sine=duration=0.1'],
      ...Array.from({ length: 40 }, () => ['-map', '0:a']),
    )
    await assert.rejects(run(many), failsWith('too_many_streams'))
  })

  test('files without video or audio', async () => {
    const texts = join(root, 'texts.srt')
    writeFileSync(texts, '1\n00:00:00,000 --> 00:00:01,000\nHello\n')
    await assert.rejects(
      run(ffmpeg('mp4', '-i', texts, '-c:s', 'mov_text')),
      failsWith('no_streams'),
    )
  })

  test('playlists that name other files, under any media type', async () => {
    const secret = makeVideo()
    for (const [name, text] of [
      [
        'hls.mp4',
        `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`,
      ],
      ['concat.mp4', `ffconcat version 1.0\nfile '${secret}'\n`],
      [
        'passwd.mp4',
        `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nconcat:/etc/passwd|/etc/passwd\n#EXT-X-ENDLIST\n`,
      ],
    ] as const) {
      const file = join(root, name)
      writeFileSync(file, text)
      for (const mimeType of ['video/mp4', 'audio/mpeg']) {
        await assert.rejects(run(file, { mimeType }), (error) => error instanceof JobFailed)
      }
    }
    // A file with the signature of MP4 is read as MP4. The appended playlist must be ignored.
    const mixed = join(root, 'mixed.mp4')
    copyFileSync(makeVideo(), mixed)
    appendFileSync(mixed, '\n#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n')
    assert.deepEqual(sizesOf(await run(mixed)), ['own.mp4 64x48'])
  })
})

test('an abort ends a conversion and its programs immediately', { skip: NO_FFMPEG }, async () => {
  const video = makeVideo({ size: '320x240', seconds: 120, rate: 25 })
  const abort = new AbortController()
  let aborted = 0
  const running = run(video, {
    signal: abort.signal,
    onProgress: () => {
      aborted ||= performance.now()
      abort.abort(new Error('stopped'))
    },
  })
  await assert.rejects(running, /stopped/)
  assert.ok(performance.now() - aborted < 2000)
  if (existsSync('/proc')) assert.deepEqual(programsWith(video), [])
})

/** Matches the /proc status of a process with a pending SIGKILL. Such a process executes no more instructions. */
const KILLED = /^(Sig|Shd)Pnd:\t[\da-f]*[13579bdf][\da-f]{2}$/m

function programsWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(text)) return false
        return !KILLED.test(readFileSync(`/proc/${pid}/status`, 'latin1'))
      } catch {
        return false
      }
    })
}
