/** Reads what containers of video and sound tell of themselves, one file after another. */
import { open } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import {
  FilePathSource,
  FLAC,
  Input,
  type InputFormat,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import type { MediaFacts } from './facts.ts'

/** Bytes of a file that are kept in memory, and of the tables of an MP4, which are read whole. */
const CACHE_BYTES = 4 * 1024 * 1024
const TABLES_MAX = 48 * 1024 * 1024
/** Boxes of a file that are looked at for its tables. */
const BOXES_MAX = 10_000

const FORMATS: Record<string, InputFormat[]> = {
  'video/mp4': [MP4],
  'audio/mp4': [MP4],
  'video/quicktime': [QTFF, MP4],
  'video/webm': [WEBM],
  'audio/mpeg': [MP3],
  'audio/ogg': [OGG],
  'audio/wav': [WAVE],
  'audio/flac': [FLAC],
}

parentPort?.on('message', ({ localFile, mimeType }: { localFile: string; mimeType: string }) => {
  void readFacts(localFile, mimeType).then(
    (facts) => parentPort?.postMessage(facts),
    () => parentPort?.postMessage(null),
  )
})

async function readFacts(localFile: string, mimeType: string): Promise<MediaFacts | null> {
  const formats = FORMATS[mimeType]
  if (!formats) return null
  if (/mp4|quicktime/.test(mimeType) && (await hasHugeTables(localFile))) return null
  const source = new FilePathSource(localFile, {
    maxCacheSize: CACHE_BYTES,
    handleUnhandledError: () => {},
  })
  const input = new Input({ formats, source })
  try {
    const tracks = await input.getTracks()
    if (tracks.length === 0) return null
    const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
    return {
      hasVideo: tracks.some(({ type }) => type === 'video'),
      width: video && size(await video.getDisplayWidth()),
      height: video && size(await video.getDisplayHeight()),
      durationMs: milliseconds(await input.computeDuration()),
      audioCodec: audio && (await audio.getCodec()),
    }
  } finally {
    input.dispose()
  }
}

function size(pixels: number): number | null {
  const rounded = Math.round(pixels)
  return rounded > 0 && rounded <= 65_535 ? rounded : null
}

function milliseconds(seconds: number): number | null {
  const rounded = Math.round(seconds * 1000)
  return rounded >= 0 && Number.isSafeInteger(rounded) ? rounded : null
}

/** True where a box that would be read whole is larger than any honest one (ISO/IEC 14496-12, 4.2). */
async function hasHugeTables(localFile: string): Promise<boolean> {
  const handle = await open(localFile)
  try {
    const head = Buffer.alloc(16)
    let at = 0
    for (let boxes = 0; boxes < BOXES_MAX; boxes++) {
      const { bytesRead } = await handle.read(head, 0, 16, at)
      if (bytesRead < 8) return false
      const short = head.readUInt32BE(0)
      const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short
      const isMedia = head.toString('latin1', 4, 8) === 'mdat'
      if (!isMedia && length > TABLES_MAX) return true
      if (length < 8) return !isMedia && (await handle.stat()).size - at > TABLES_MAX
      at += length
    }
    return true
  } finally {
    await handle.close()
  }
}
