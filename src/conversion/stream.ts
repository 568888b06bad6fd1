/**
 * Creates streams for HTTP Live Streaming (RFC 8216). Players switch between the sizes of a video to suit the
 * connection.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobControl } from '../jobs/worker.ts'
import { failureOf, fileOf } from './encode.ts'
import { type Ffmpeg, runFfmpeg } from './ffmpeg.ts'
import type { Step } from './ladder.ts'
import type { EncodedFacts } from './verify.ts'

const SEGMENT_SECONDS = 6
const SECONDS = 3600
const AUDIO_BITS = 160_000
export const HLS_FOLDER = 'hls'
export const MASTER_FILE = 'master.m3u8'

export type Encoded = Step & EncodedFacts

/**
 * Creates a stream from the encoded files without encoding again. Writes a master playlist, and for each size a
 * playlist and one media file. Returns the file names relative to `folder`, in the order in which they must be
 * stored.
 */
export async function makeStream(
  tools: Ffmpeg,
  steps: readonly Encoded[],
  { folder, control }: { folder: string; control: JobControl },
): Promise<string[]> {
  const hls = join(folder, HLS_FOLDER)
  await mkdir(hls)
  for (const step of steps) {
    const { code, stoppedBy, errors } = await runFfmpeg(
      tools,
      [
        ['-v', 'error', '-protocol_whitelist', 'file,pipe', '-f', 'mov'],
        ['-i', `file:${fileOf(folder, step)}`, '-map', '0', '-c', 'copy'],
        ['-f', 'hls', '-hls_time', String(SEGMENT_SECONDS), '-hls_playlist_type', 'vod'],
        ['-hls_segment_type', 'fmp4', '-hls_flags', 'single_file+independent_segments'],
        ['-hls_segment_filename', `${step.name}.mp4`, `${step.name}.m3u8`],
      ],
      { signal: control.signal, limits: { seconds: SECONDS }, cwd: hls },
    )
    if (stoppedBy !== null) throw new Error(`ffmpeg was stopped by ${stoppedBy}: ${errors}`)
    if (code !== 0) throw failureOf(errors, code)
  }
  await writeFile(join(hls, MASTER_FILE), masterPlaylist(steps))
  return [
    ...steps.flatMap(({ name }) => [`${name}.mp4`, `${name}.m3u8`]),
    // The master playlist comes last, so that a stored playlist never refers to files that are not stored
    // yet.
    MASTER_FILE,
  ].map((name) => `${HLS_FOLDER}/${name}`)
}

function masterPlaylist(steps: readonly Encoded[]): string {
  const variants = steps.flatMap(({ name, width, height, kbits, level, hasAudio }) => {
    const codecs = [`avc1.6400${level.toString(16).padStart(2, '0')}`]
    if (hasAudio) codecs.push('mp4a.40.2')
    const facts = [
      `BANDWIDTH=${kbits * 1000 + (hasAudio ? AUDIO_BITS : 0)}`,
      `RESOLUTION=${width}x${height}`,
      `CODECS="${codecs.join(',')}"`,
    ]
    return [`#EXT-X-STREAM-INF:${facts.join(',')}`, `${name}.m3u8`]
  })
  return `${['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS', ...variants].join('\n')}\n`
}
