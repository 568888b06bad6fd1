import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobControl } from '../jobs/worker.ts'
import { openPicture } from '../pictures/libvips.ts'
import { writeThumbnail } from '../pictures/thumbnail.ts'
import { type Ffmpeg, runFfmpeg } from './ffmpeg.ts'

/**
 * Positions of candidate frames, as shares of the duration. `makePoster` tries them in this order until a
 * frame is bright enough.
 */
const POSITIONS = [0.1, 0.35, 0.6, 0]
/** Mean brightness (0 to 255) below which a frame counts as dark. */
const DARK = 20
const SECONDS = 120

export const POSTER_FILE = 'poster.webp'

interface Candidate {
  brightness: number
  file: string
}

/**
 * Writes the poster of a video to `folder` and returns its size in pixels. Returns null when no frame could
 * be extracted.
 */
export async function makePoster(
  tools: Ffmpeg,
  video: { file: string; seconds: number },
  { folder, control }: { folder: string; control: JobControl },
): Promise<{ width: number; height: number } | null> {
  let best: Candidate | undefined
  for (const [index, place] of POSITIONS.entries()) {
    const file = join(folder, `frame-${index}.png`)
    const brightness = await takeFrame(tools, video, {
      position: place * video.seconds,
      file,
      control,
    })
    if (brightness === null) continue
    if (!best || brightness > best.brightness) best = { brightness, file }
    if (brightness >= DARK) break
  }
  if (!best) return null
  const poster = join(folder, POSTER_FILE)
  await writeThumbnail(best.file, poster)
  const { width, height } = await (await openPicture(poster)).metadata()
  await Promise.all(
    POSITIONS.map((_, index) => rm(join(folder, `frame-${index}.png`), { force: true })),
  )
  return { width, height }
}

/**
 * Writes a typical frame at or after a position to a file. Returns the frame's brightness, or null when no
 * frame follows.
 */
async function takeFrame(
  tools: Ffmpeg,
  video: { file: string },
  { position, file, control }: { position: number; file: string; control: JobControl },
): Promise<number | null> {
  const { code, errors } = await runFfmpeg(
    tools,
    [
      ['-v', 'error', '-protocol_whitelist', 'file,pipe', '-ss', position.toFixed(3), '-f', 'mov'],
      ['-i', `file:${video.file}`, '-an', '-vf', 'thumbnail=n=50', '-frames:v', '1'],
      ['-c:v', 'png', '-f', 'image2', '-update', '1', `file:${file}`],
    ],
    { signal: control.signal, limits: { seconds: SECONDS } },
  )
  if (code !== 0) throw new Error(`no frame could be taken: ${errors}`)
  try {
    const { channels } = await (await openPicture(file)).greyscale().stats()
    return channels[0]?.mean ?? 0
  } catch {
    return null
  }
}
