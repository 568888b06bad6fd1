import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { JobFailed } from '../jobs/rules.ts'
import type { JobControl } from '../jobs/worker.ts'
import { type Ffmpeg, runFfmpeg } from './ffmpeg.ts'
import { pictureGraph } from './filters.ts'
import type { Step } from './ladder.ts'
import { inputArgs, type MediaFacts, MEMORY_BYTES, SECONDS_MAX, type VideoFacts } from './probe.ts'

/**
 * Wall-clock limit of an encoding in seconds: LIMIT_BASE + LIMIT_FACTOR * seconds of the source. The limit of
 * processor time is THREADS + 1 times as high.
 */
const LIMIT_BASE = 300
const LIMIT_FACTOR = 30
const AUDIO_KBITS = 128
const SOUND_KBITS = 160
/**
 * Seconds between key frames. Key frames are at the same times in all sizes, and stream segments begin at them.
 */
const KEY_SECONDS = 2
/** Number of encoder threads. Leaves one processor to the server where possible. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1))

interface Source {
  localFile: string
  mimeType: string
  facts: MediaFacts
}

export const AUDIO_FILE = 'audio.m4a'

export function fileOf(folder: string, { name }: Step): string {
  return join(folder, `${name}.mp4`)
}

/**
 * Encodes one MP4 per entry of `steps`, or one audio file for a source without a picture. The output is H.264 and AAC
 * with the index at the start, without the metadata of the source. Errors: JobFailed.
 */
export async function encode(
  tools: Ffmpeg,
  source: Source,
  steps: readonly Step[],
  to: { folder: string; control: JobControl },
): Promise<void> {
  const { facts } = source
  const seconds = facts.seconds ?? SECONDS_MAX
  const kbits = Math.max(...steps.map((step) => step.kbits), 0) + SOUND_KBITS
  let text = ''
  const { code, stoppedBy, errors } = await runFfmpeg(
    tools,
    [
      ['-v', 'error', '-progress', 'pipe:1', '-stats_period', '0.5'],
      ['-threads', String(THREADS), '-filter_complex_threads', '1'],
      inputArgs(source.localFile, source.mimeType),
      ...(facts.video
        ? pictureArgs(tools, facts, facts.video, { steps, folder: to.folder })
        : soundArgs(facts, to.folder)),
    ],
    {
      signal: to.control.signal,
      limits: {
        seconds: LIMIT_BASE + seconds * LIMIT_FACTOR,
        cpuSeconds: (LIMIT_BASE + seconds * LIMIT_FACTOR) * (THREADS + 1),
        memoryBytes: MEMORY_BYTES,
        // Stops runaway output. Each file may have twice the bytes that the highest bit rate needs, plus 64
        // MiB.
        fileBytes: 64 * 1024 ** 2 + seconds * kbits * 250,
      },
      onOutput: (chunk) => {
        text = (text + chunk).slice(-2000)
        const micros = text.match(/^out_time_us=\d+$/gm)?.at(-1)
        if (micros && facts.seconds) {
          to.control.progress(Number(micros.slice('out_time_us='.length)) / 1e6 / facts.seconds)
        }
      },
    },
  )
  if (stoppedBy === 'time') throw new JobFailed('too_heavy', 'over its time')
  if (stoppedBy !== null) throw new Error(`ffmpeg was stopped by ${stoppedBy}: ${errors}`)
  if (code !== 0) throw failureOf(errors, code)
}

/**
 * Returns the error for a failed ffmpeg run: an Error with code ENOSPC for a full disk, otherwise JobFailed. The
 * JobFailed is `too_heavy` for insufficient memory, else `broken_file`.
 */
export function failureOf(errors: string, code: number | null): Error {
  if (/No space left on device|Disk quota exceeded/.test(errors)) {
    return Object.assign(new Error(errors), { code: 'ENOSPC' })
  }
  if (/Cannot allocate memory/.test(errors)) return new JobFailed('too_heavy', errors)
  return new JobFailed('broken_file', `ffmpeg ended with ${code}: ${errors}`)
}

function pictureArgs(
  tools: Ffmpeg,
  facts: MediaFacts,
  video: VideoFacts,
  { steps, folder }: { steps: readonly Step[]; folder: string },
): string[][] {
  return [
    ['-filter_complex', pictureGraph(video, steps, tools)],
    ...steps.flatMap((step, index) => [
      ['-map', `[v${index}]`],
      mapSound(facts),
      ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-profile:v', 'high'],
      ['-maxrate', `${step.kbits}k`, '-bufsize', `${step.kbits * 2}k`],
      ['-force_key_frames', `expr:gte(t,n_forced*${KEY_SECONDS})`],
      audioCodec(AUDIO_KBITS),
      ...outputArgs(fileOf(folder, step)),
    ]),
  ]
}

function soundArgs(facts: MediaFacts, folder: string): string[][] {
  const file = join(folder, AUDIO_FILE)
  return [mapSound(facts), ['-vn'], audioCodec(SOUND_KBITS), ...outputArgs(file)]
}

function mapSound({ audioIndex }: MediaFacts): string[] {
  return audioIndex === null ? [] : ['-map', `0:${audioIndex}`]
}

function audioCodec(kbits: number): string[] {
  return ['-c:a', 'aac', '-b:a', `${kbits}k`, '-ac', '2', '-ar', '48000']
}

function outputArgs(file: string): string[][] {
  return [
    ['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn', '-fflags', '+bitexact'],
    ['-threads', String(THREADS), '-max_muxing_queue_size', '4096', '-abort_on', 'empty_output'],
    // Encodes one second more than the maximum duration, so that `verify` can detect a source longer than its
    // metadata claims.
    ['-t', String(SECONDS_MAX + 1), '-movflags', '+faststart', '-f', 'mp4', `file:${file}`],
  ]
}
