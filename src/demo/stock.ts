/** Generates the files that demo users upload. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { readFile, writeFile } from 'node:fs/promises'
import { type Ffmpeg, runFfmpeg } from '../conversion/ffmpeg.ts'
import { openPicture } from '../pictures/libvips.ts'
import type { Staging } from '../storage/staging.ts'
import { face } from './art/faces.ts'
import { drawGallery, type Picture } from './art/gallery.ts'
import { tune } from './art/tune.ts'
import { type Game, GAMES } from './games/games.ts'
import { seeded } from './random.ts'

export interface StockPicture {
  file: Blob
  isUpright: boolean
}

export interface StockGame {
  game: Game
  file: Blob
  /** The game's cover, then the same cover in other colours. */
  covers: Blob[]
}

/** The files of the demo. Contents and users share them. */
export interface Stock {
  pictures: StockPicture[]
  faces: Blob[]
  tunes: Blob[]
  /** Empty without ffmpeg. Each video pans over one of the pictures. */
  videos: { file: Blob; picture: StockPicture }[]
  games: StockGame[]
}

export interface Workshop {
  staging: Staging
  ffmpeg: Ffmpeg | undefined
  /** Called when another file has been made. */
  onFile(done: number, total: number): void
}

const SEED = 20_260_302
/** Sizes of a full stock. A small demo uses fewer files. */
const COUNTS = { pictures: 60, faces: 36, tunes: 8, videos: 10 }
/** Hue rotations of a game's cover, in degrees. */
const TURNS = [0, 325, 85, 40, 120]
const VIDEO = { seconds: 4, rate: 24, longer: 640, shorter: 360, margin: 1.2 }
const VIDEO_CODECS =
  '-c:v libx264 -preset superfast -crf 27 -c:a aac -b:a 80k -fflags +bitexact -movflags +faststart -f mp4'.split(
    ' ',
  )
const VIDEO_LIMITS = { seconds: 60, memoryBytes: 2 * 1024 ** 3, fileBytes: 64 * 1024 ** 2 }

/** Makes all files for this many contents, several concurrently. */
export async function makeStock(workshop: Workshop, contents: number): Promise<Stock> {
  const { staging, ffmpeg } = workshop
  const random = seeded(SEED)
  const share = Math.min(1, contents / 1000)
  const countOf = (name: keyof typeof COUNTS) => Math.max(4, Math.round(COUNTS[name] * share))
  const drawn = spread(drawGallery(), countOf('pictures'))
  const filmed = ffmpeg ? spread(drawn, countOf('videos')) : []
  const faces = Array.from({ length: countOf('faces') }, () => face(random))
  const tunes = Array.from({ length: countOf('tunes') }, () => tune(random))
  const ofGames = GAMES.length * (1 + TURNS.length)
  const total = drawn.length + filmed.length + faces.length + tunes.length + ofGames
  let done = 0
  const made = async (bytes: Buffer | Promise<Buffer>) => {
    const file = new Blob([Uint8Array.from(await bytes)])
    workshop.onFile(++done, total)
    return file
  }
  const pictures = await each(drawn, async ({ svg, width, height }) => ({
    file: await made(toJpeg(svg)),
    isUpright: height > width,
  }))
  const videos = await each(filmed, async (picture, at) => ({
    file: await made(film(staging, ffmpeg as Ffmpeg, picture, tunes[at % tunes.length] as Buffer)),
    picture: pictures[drawn.indexOf(picture)] as StockPicture,
  }))
  return {
    pictures,
    videos,
    faces: await each(faces, (svg) => made(toPng(svg))),
    tunes: await each(tunes, made),
    games: await each(GAMES, async (game) => ({
      game,
      file: await made(game.bytes()),
      covers: await each(TURNS, (hue) => made(toJpeg(game.cover(), hue))),
    })),
  }
}

/** Picks `count` items, evenly spread over the list. */
function spread<T>(list: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)] as T)
}

/** Maps a list concurrently, one item per processor. Returns the results in order. */
async function each<T, R>(
  list: readonly T[],
  action: (item: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const waiting = list.entries()
  async function take(): Promise<void> {
    for (const [at, item] of waiting) results[at] = await action(item, at)
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, take))
  return results
}

async function toJpeg(svg: string, hue = 0): Promise<Buffer> {
  const drawn = await openPicture(Buffer.from(svg))
  return (hue === 0 ? drawn : drawn.modulate({ hue })).jpeg({ quality: 86 }).toBuffer()
}

async function toPng(svg: string): Promise<Buffer> {
  return (await openPicture(Buffer.from(svg))).png().toBuffer()
}

/** Makes a short video that pans over a picture, with music: an MP4 that browsers can play unconverted. */
async function film(
  staging: Staging,
  tools: Ffmpeg,
  { svg, width, height }: Picture,
  music: Buffer,
): Promise<Buffer> {
  const { seconds, rate, longer, shorter, margin } = VIDEO
  const [wide, high] = width > height ? [longer, shorter] : [shorter, longer]
  const scale = Math.max(wide / width, high / height) * margin
  const drawn = await openPicture(Buffer.from(svg))
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
  const picture = await drawn.resize(size).png().toBuffer()
  return staging.withFolder(async (folder) => {
    const [pictureFile, musicFile, video] = ['picture.png', 'music.wav', 'video.mp4'].map((name) =>
      join(folder, name),
    ) as [string, string, string]
    await Promise.all([writeFile(pictureFile, picture), writeFile(musicFile, music)])
    const share = `t/${seconds}`
    const moves = `crop=${wide}:${high}:x='(iw-ow)*${share}':y='(ih-oh)*(1-${share})'`
    const inputs = ['-v', 'error', '-i', `file:${pictureFile}`, '-i', `file:${musicFile}`]
    const filter = ['-vf', `loop=-1:1:0,setpts=N/(${rate}*TB),${moves},format=yuv420p`]
    const length = ['-r', String(rate), '-t', String(seconds)]
    const signal = AbortSignal.timeout(VIDEO_LIMITS.seconds * 1000)
    const { code, errors } = await runFfmpeg(
      tools,
      [...inputs, ...filter, ...length, ...VIDEO_CODECS, `file:${video}`],
      { signal, limits: VIDEO_LIMITS },
    )
    if (code !== 0) throw new Error(`ffmpeg made no video: ${errors}`)
    return readFile(video)
  })
}
