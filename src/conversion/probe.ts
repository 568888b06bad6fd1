import type { JobControl } from '../jobs/worker.ts'
import { JobFailed } from '../jobs/rules.ts'
import { type Ffmpeg, runFfprobe } from './ffmpeg.ts'

/** Facts about the video stream. Width and height are those on display: after rotation, in square pixels. */
export interface VideoFacts {
  index: number
  width: number
  height: number
  frameRate: number
  /** ffprobe's name of the colour primaries; empty when untagged. */
  primaries: string
  /** ffprobe's name of the transfer function; empty when untagged. */
  transfer: string
  /** ffprobe's name of the colour matrix; empty when untagged. */
  matrix: string
}

export interface MediaFacts {
  seconds: number | null
  video: VideoFacts | null
  audioIndex: number | null
}

export const SECONDS_MAX = 6 * 60 * 60
const STREAMS_MAX = 32
const SIDE_MAX = 16_384
const PIXELS_MAX = 8192 * 4320
const PROBE_SECONDS = 60
export const MEMORY_BYTES = 4 * 1024 ** 3

/**
 * ffmpeg's demuxer for each MIME type. The demuxer is explicit, because automatic detection could open a
 * playlist that names other local files.
 */
const DEMUXERS: Record<string, string> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'audio/mp4': 'mov',
  'video/webm': 'matroska',
  'audio/webm': 'matroska',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'video/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
}

/** Returns the ffmpeg arguments that open a file. Errors: JobFailed for a type without a demuxer. */
export function inputArgs(localFile: string, mimeType: string): string[] {
  const demuxer = DEMUXERS[mimeType]
  if (!demuxer) throw new JobFailed('broken_file', `no demuxer for ${mimeType}`)
  return ['-protocol_whitelist', 'file,pipe', '-f', demuxer, '-i', `file:${localFile}`]
}

interface Probed {
  streams?: {
    index: number
    codec_type?: string
    codec_name?: string
    width?: number
    height?: number
    sample_aspect_ratio?: string
    avg_frame_rate?: string
    color_primaries?: string
    color_transfer?: string
    color_space?: string
    duration?: string
    disposition?: { attached_pic?: number }
    tags?: { rotate?: string }
    side_data_list?: { rotation?: number }[]
  }[]
  format?: { nb_streams?: number; duration?: string }
}

const ENTRIES = [
  'format=duration,nb_streams',
  'stream=index,codec_type,codec_name,width,height,sample_aspect_ratio,avg_frame_rate,duration',
  'stream=color_primaries,color_transfer,color_space',
  'stream_disposition=attached_pic',
  'stream_tags=rotate',
  'stream_side_data=rotation',
].join(':')

/**
 * Returns the facts about a media file. Errors: JobFailed when the file cannot be read, contains no video or
 * audio, or exceeds a limit.
 */
export async function probe(
  tools: Ffmpeg,
  localFile: string,
  mimeType: string,
  { signal }: JobControl,
): Promise<MediaFacts> {
  const { code, stoppedBy, out, errors } = await runFfprobe(
    tools,
    [
      ['-v', 'error', '-of', 'json=compact=1', '-show_entries', ENTRIES],
      inputArgs(localFile, mimeType),
    ],
    { signal, limits: { seconds: PROBE_SECONDS, memoryBytes: MEMORY_BYTES } },
  )
  if (stoppedBy === 'signal') throw new Error(`ffprobe was stopped: ${errors}`)
  if (code !== 0) throw new JobFailed('broken_file', errors || `ffprobe: ${code} ${stoppedBy}`)
  return toFacts(JSON.parse(out) as Probed)
}

function toFacts({ streams = [], format = {} }: Probed): MediaFacts {
  if ((format.nb_streams ?? streams.length) > STREAMS_MAX) throw new JobFailed('too_many_streams')
  const video = streams.find(
    (stream) =>
      stream.codec_type === 'video' &&
      stream.codec_name !== undefined &&
      stream.disposition?.attached_pic !== 1 &&
      (stream.width ?? 0) > 0,
  )
  const audio = streams.find(
    ({ codec_type, codec_name }) => codec_type === 'audio' && codec_name !== undefined,
  )
  if (!video && !audio) throw new JobFailed('no_streams')
  const durations = [format.duration, video?.duration, audio?.duration].map(Number)
  const seconds = Math.max(...durations.filter((value) => value > 0), 0)
  if (seconds > SECONDS_MAX) throw new JobFailed('too_long')
  return {
    seconds: seconds || null,
    video: video ? toVideo(video) : null,
    audioIndex: audio?.index ?? null,
  }
}

function toVideo(stream: NonNullable<Probed['streams']>[number]): VideoFacts {
  const { index, width = 0, height = 0 } = stream
  if (width * height > PIXELS_MAX || Math.max(width, height) > SIDE_MAX) {
    throw new JobFailed('too_many_pixels')
  }
  const shown = Math.max(1, Math.min(SIDE_MAX, Math.round(width * aspectOf(stream))))
  const rotation = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation
  const turned = Math.abs(Math.round(rotation ?? Number(stream.tags?.rotate ?? 0))) % 180 === 90
  return {
    index,
    width: turned ? height : shown,
    height: turned ? shown : height,
    frameRate: ratio(stream.avg_frame_rate, '/') ?? 0,
    primaries: stream.color_primaries ?? '',
    transfer: stream.color_transfer ?? '',
    matrix: stream.color_space ?? '',
  }
}

/** Returns a pixel's width divided by its height. Implausible values count as 1. */
function aspectOf({ sample_aspect_ratio: text }: { sample_aspect_ratio?: string }): number {
  const aspect = ratio(text, ':')
  return aspect && aspect > 0.1 && aspect < 10 ? aspect : 1
}

function ratio(text: string | undefined, by: string): number | undefined {
  const [above = NaN, below = NaN] = (text ?? '').split(by).map(Number)
  return above > 0 && below > 0 ? above / below : undefined
}
