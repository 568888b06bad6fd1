import { JobFailed } from '../jobs/rules.ts'
import type { JobControl } from '../jobs/worker.ts'
import { type Ffmpeg, runFfprobe } from './ffmpeg.ts'
import { SECONDS_MAX } from './probe.ts'

export interface EncodedFacts {
  seconds: number
  /** H.264 level times ten. 0 for a file without video. */
  level: number
  hasAudio: boolean
}

interface Probed {
  streams?: { codec_type?: string; level?: number }[]
  format?: { duration?: string }
}

const PROBE_SECONDS = 60
/** Minimum readable share of the duration that a source claims. A source with less counts as damaged. */
const LEAST_SHARE = 0.9
const TOLERANCE_SECONDS = 0.25

/**
 * Returns the facts about an encoded file, and checks its duration. `saidSeconds` is the source's duration according
 * to its metadata.
 * Errors: JobFailed when the file is too long, or much shorter than `saidSeconds` because the source is damaged.
 */
export async function verify(
  tools: Ffmpeg,
  file: string,
  saidSeconds: number | null,
  { signal }: JobControl,
): Promise<EncodedFacts> {
  const { code, out, errors } = await runFfprobe(
    tools,
    [
      ['-v', 'error', '-of', 'json=compact=1'],
      ['-show_entries', 'format=duration:stream=codec_type,level'],
      ['-protocol_whitelist', 'file,pipe', '-f', 'mov', '-i', `file:${file}`],
    ],
    { signal, limits: { seconds: PROBE_SECONDS } },
  )
  if (code !== 0) throw new Error(`the encoded file cannot be read: ${errors}`)
  const { streams = [], format = {} } = JSON.parse(out) as Probed
  const seconds = Number(format.duration) || 0
  if (seconds > SECONDS_MAX) throw new JobFailed('too_long')
  if (saidSeconds !== null && seconds < saidSeconds * LEAST_SHARE - TOLERANCE_SECONDS) {
    throw new JobFailed('broken_file', `${seconds} of ${saidSeconds} seconds can be read`)
  }
  return {
    seconds,
    level: streams.find(({ codec_type }) => codec_type === 'video')?.level ?? 0,
    hasAudio: streams.some(({ codec_type }) => codec_type === 'audio'),
  }
}
