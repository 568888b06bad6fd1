import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobControl } from '../jobs/worker.ts'
import { AUDIO_FILE, encode, fileOf } from './encode.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { ladderFor } from './ladder.ts'
import { makePoster, POSTER_FILE } from './poster.ts'
import { probe } from './probe.ts'
import { type Encoded, HLS_FOLDER, makeStream, MASTER_FILE } from './stream.ts'
import { verify } from './verify.ts'

/** Videos longer than this many seconds also get an HLS stream, which adapts to the connection. */
const STREAM_SECONDS = 60
/** Encoding's share of the reported progress. The rest is verification, poster and stream. */
const ENCODING_SHARE = 0.9

export interface Part {
  name: string
  mimeType: string
}

/** A file with a row in `renditions`: a converted video or audio file, the main playlist or the poster. */
export interface Made extends Part {
  sizeBytes: number
  width: number | null
  height: number | null
}

export interface Conversion {
  /** All files in the order in which they must be stored. */
  parts: Part[]
  renditions: Made[]
  poster: Made | null
}

const TYPES: Record<string, string> = {
  mp4: 'video/mp4',
  m4a: 'audio/mp4',
  m3u8: 'application/vnd.apple.mpegurl',
  webp: 'image/webp',
}

/**
 * Converts an uploaded file, writes the results into `folder` and returns their names, types and sizes.
 * Errors: JobFailed.
 */
export async function convert(
  tools: Ffmpeg,
  { localFile, mimeType }: { localFile: string; mimeType: string },
  to: { folder: string; control: JobControl },
): Promise<Conversion> {
  const { folder, control } = to
  const facts = await probe(tools, localFile, mimeType, control)
  const steps = facts.video ? ladderFor(facts.video) : []
  const encoding = {
    ...control,
    progress: (share: number) => control.progress(share * ENCODING_SHARE),
  }
  await encode(tools, { localFile, mimeType, facts }, steps, { folder, control: encoding })
  if (!facts.video) {
    await verify(tools, join(folder, AUDIO_FILE), facts.seconds, control)
    const sound = await toMade(folder, AUDIO_FILE, null)
    return { parts: [sound], renditions: [sound], poster: null }
  }
  const encoded: Encoded[] = []
  for (const step of steps) {
    const made = await verify(tools, fileOf(folder, step), facts.seconds, control)
    encoded.push({ ...step, ...made })
  }
  const last = encoded.at(-1) as Encoded
  const size = await makePoster(tools, { file: fileOf(folder, last), seconds: last.seconds }, to)
  const isLong = last.seconds > STREAM_SECONDS
  const streamed = isLong ? await makeStream(tools, encoded, to) : []
  const videos = await Promise.all(encoded.map((step) => toMade(folder, `${step.name}.mp4`, step)))
  const poster = size && (await toMade(folder, POSTER_FILE, size))
  const masters = isLong ? [await toMade(folder, `${HLS_FOLDER}/${MASTER_FILE}`, null)] : []
  return {
    parts: [...videos, ...(poster ? [poster] : []), ...streamed.map(toPart)],
    renditions: [...videos, ...masters],
    poster,
  }
}

async function toMade(
  folder: string,
  name: string,
  picture: { width: number; height: number } | null,
): Promise<Made> {
  const { size } = await stat(join(folder, name))
  const { width = null, height = null } = picture ?? {}
  return { ...toPart(name), sizeBytes: size, width, height }
}

function toPart(name: string): Part {
  return { name, mimeType: TYPES[name.slice(name.lastIndexOf('.') + 1)] as string }
}
