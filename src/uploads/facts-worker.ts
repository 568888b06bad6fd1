import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { InputFormat } from 'mediabunny'
import type { MediaFacts } from './facts.ts'

// The single-file build of mediabunny loads faster than its separate modules and needs less memory.
const library: typeof import('mediabunny') = createRequire(import.meta.url)('mediabunny')
const { CustomSource, FLAC, Input, MP3, MP4, OGG, QTFF, WAVE, WEBM } = library

const CACHE_BYTES = 4 * 1024 * 1024
/** Maximum bytes of one read. Even the sample tables of a video of many hours are smaller. */
const READ_MAX = 24 * 1024 * 1024

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

process.on('message', ({ localFile, mimeType }: { localFile: string; mimeType: string }) => {
  void readFacts(localFile, mimeType).then(
    (facts) => process.send?.(facts),
    () => process.send?.(null),
  )
})
// Ends this process with the server: the channel closes when the server exits, even if the server was killed.
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function readFacts(localFile: string, mimeType: string): Promise<MediaFacts | null> {
  const formats = FORMATS[mimeType]
  if (!formats) return null
  const input = new Input({ formats, source: await openSource(localFile) })
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

async function openSource(localFile: string) {
  const handle = await open(localFile)
  return new CustomSource({
    getSize: async () => (await handle.stat()).size,
    read: async (start, end) => {
      if (end - start > READ_MAX) throw new Error(`read of ${end - start} bytes is too large`)
      const bytes = Buffer.allocUnsafe(end - start)
      await handle.read(bytes, 0, bytes.length, start)
      return bytes
    },
    dispose: () => handle.close(),
    maxCacheSize: CACHE_BYTES,
    prefetchProfile: 'fileSystem',
    handleUnhandledError: () => {},
  })
}
