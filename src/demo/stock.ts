import { join } from 'node:path'
import { readFile, writeFile } from 'node:fs/promises'
import { type Ffmpeg, runFfmpeg } from '../conversion/ffmpeg.ts'
import { openPicture } from '../pictures/libvips.ts'
import type { Staging } from '../storage/staging.ts'
import { face } from './art/faces.ts'
import { drawPictures } from './art/pictures.ts'
import { type Game, GAMES, readGame } from './games/games.ts'
import { seeded, times } from './random.ts'

export interface StockPicture {
  file: Blob
  isUpright: boolean
}

export interface StockGame {
  game: Game
  file: Blob
  /** Cover pictures: the original first, then variants in other colours. */
  covers: Blob[]
}

export interface Stock {
  pictures: StockPicture[]
  faces: Blob[]
  tunes: Blob[]
  /** Empty without ffmpeg. */
  videos: { file: Blob; picture: StockPicture }[]
  games: StockGame[]
}

export interface Workshop {
  staging: Staging
  ffmpeg: Ffmpeg | undefined
  onFile(done: number, total: number): void
}

const SEED = 20_260_302
/** Numbers of generated files. A demo with fewer than 1000 contents has fewer files. */
const COUNTS = { pictures: 60, faces: 36, videos: 8 }
const TUNES = ['1', '2', '3', '4'].map((name) => join(import.meta.dirname, 'tunes', `${name}.mp3`))
const TURNS = [0, 325, 85, 40, 120]
/**
 * Properties of generated videos: duration in seconds, frames per second, longer and shorter side in pixels. `margin`
 * is the scale of the moving picture relative to the frame.
 */
const VIDEO = { seconds: { min: 15, max: 24 }, rate: 15, longer: 640, shorter: 360, margin: 1.4 }
const VIDEO_CODECS =
  '-c:v libx264 -preset superfast -crf 27 -c:a aac -b:a 64k -fflags +bitexact -movflags +faststart -f mp4'
const VIDEO_LIMITS = { seconds: 120, memoryBytes: 2 * 1024 ** 3, fileBytes: 64 * 1024 ** 2 }

export async function makeStock(workshop: Workshop, contents: number): Promise<Stock> {
  const { staging, ffmpeg } = workshop
  const random = seeded(SEED)
  const countOf = (name: keyof typeof COUNTS) =>
    Math.max(4, Math.round(COUNTS[name] * Math.min(1, contents / 1000)))
  const drawn = spread(drawPictures(), countOf('pictures'))
  const filmed = ffmpeg ? spread(drawn, countOf('videos')) : []
  const faces = times(countOf('faces'), () => face(random))
  const ofGames = GAMES.length * (1 + TURNS.length)
  const total = drawn.length + filmed.length + faces.length + TUNES.length + ofGames
  let done = 0
  const made = async (bytes: Buffer | Promise<Buffer>) => {
    const file = new Blob([Uint8Array.from(await bytes)])
    workshop.onFile(++done, total)
    return file
  }
  const pictures = await Promise.all(
    drawn.map(async ({ svg, isUpright }) => ({ file: await made(toJpeg(svg)), isUpright })),
  )
  const videos: Stock['videos'] = []
  for (const [i, source] of filmed.entries()) {
    const picture = pictures[drawn.indexOf(source)] as StockPicture
    videos.push({ file: await made(film(staging, ffmpeg as Ffmpeg, picture, i)), picture })
  }
  return {
    pictures,
    videos,
    faces: await Promise.all(faces.map((svg) => made(toJpeg(svg)))),
    tunes: await Promise.all(TUNES.map((file) => made(readFile(file)))),
    games: await Promise.all(
      GAMES.map(async (game) => ({
        game,
        file: await made(readGame(game.file)),
        covers: await Promise.all(TURNS.map((hue) => made(toJpeg(readGame(game.cover), hue)))),
      })),
    ),
  }
}

function spread<T>(list: readonly T[], count: number): T[] {
  return times(count, (i) => list[Math.floor((i * list.length) / count)] as T)
}

async function toJpeg(svg: string | Buffer, hue = 0): Promise<Buffer> {
  const drawn = await openPicture(Buffer.from(svg))
  return (hue === 0 ? drawn : drawn.modulate({ hue })).jpeg({ quality: 86 }).toBuffer()
}

/** Returns a video that moves over a picture, with music. Browsers play it without conversion. */
async function film(
  staging: Staging,
  tools: Ffmpeg,
  { file, isUpright }: StockPicture,
  index: number,
): Promise<Buffer> {
  const { rate, longer, shorter, margin } = VIDEO
  const seconds = VIDEO.seconds.min + ((index * 7) % (VIDEO.seconds.max - VIDEO.seconds.min + 1))
  const [wide, high] = isUpright ? [shorter, longer] : [longer, shorter]
  const picture = Buffer.from(await file.arrayBuffer())
  return staging.withFolder(async (folder) => {
    const [still, video] = [join(folder, 'picture.jpg'), join(folder, 'video.mp4')]
    await writeFile(still, picture)
    const scale = `scale=${wide * margin}:${high * margin}`
    const share = `t/${seconds}`
    const crop = `crop=${wide}:${high}:x='(iw-ow)*${share}':y='(ih-oh)*(1-${share})'`
    const filter = `${scale},loop=-1:1:0,setpts=N/(${rate}*TB),${crop},format=yuv420p`
    const music = ['-stream_loop', '-1', '-i', `file:${TUNES[index % TUNES.length]}`]
    const inputs = ['-v', 'error', '-i', `file:${still}`, ...music, '-map_metadata', '-1']
    const length = ['-r', String(rate), '-t', String(seconds)]
    const { code, errors } = await runFfmpeg(
      tools,
      [...inputs, '-vf', filter, ...length, ...VIDEO_CODECS.split(' '), `file:${video}`],
      { signal: AbortSignal.timeout(VIDEO_LIMITS.seconds * 1000), limits: VIDEO_LIMITS },
    )
    if (code !== 0) throw new Error(`ffmpeg made no video: ${errors}`)
    return readFile(video)
  })
}
