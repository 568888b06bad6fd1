/** One conversion, from the uploaded file to the files that are put into the store. */
import { join } from 'node:path'
import type { JobControl } from '../jobs/worker.ts'
import { AUDIO_FILE, encode, fileOf } from './encode.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { ladderFor } from './ladder.ts'
import { makePoster, POSTER_FILE } from './poster.ts'
import { probe } from './probe.ts'
import { type Encoded, HLS_FOLDER, makeStream, MASTER_FILE } from './stream.ts'
import { verify } from './verify.ts'

/** Works longer than this get a stream whose size follows the connection too. */
const STREAM_SECONDS = 60
/** What encoding is of the whole, as progress shows it. */
const ENCODING_SHARE = 0.9

export interface Part {
  /** Below the folder. */
  name: string
  mimeType: string
}

/** What answers show. */
export interface Made extends Part {
  width: number | null
  height: number | null
}

export interface Conversion {
  /** Every file, in the order in which they are to be put. */
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

/** Converts a file; all that it makes is in `folder`. Errors: JobFailed. */
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
    const sound = { ...toPart(AUDIO_FILE), width: null, height: null }
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
  const videos = encoded.map(({ name, width, height }) => ({
    ...toPart(`${name}.mp4`),
    width,
    height,
  }))
  const poster = size && { ...toPart(POSTER_FILE), ...size }
  const master = { ...toPart(`${HLS_FOLDER}/${MASTER_FILE}`), width: null, height: null }
  return {
    parts: [...videos, ...(poster ? [poster] : []), ...streamed.map(toPart)],
    renditions: isLong ? [...videos, master] : videos,
    poster,
  }
}

function toPart(name: string): Part {
  return { name, mimeType: TYPES[name.slice(name.lastIndexOf('.') + 1)] as string }
}
