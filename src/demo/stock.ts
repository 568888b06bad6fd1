/** The files of the demo, made here for people to upload. */
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
  /** Its own picture, and the same in other colours. */
  covers: Blob[]
}

/** What works and people have, each many times over. */
export interface Stock {
  pictures: StockPicture[]
  faces: Blob[]
  tunes: Blob[]
  /** None where the machine has no ffmpeg. Each moves over a picture of the stock. */
  videos: { file: Blob; picture: StockPicture }[]
  games: StockGame[]
}

export interface Workshop {
  staging: Staging
  ffmpeg: Ffmpeg | undefined
  /** One more of so many files is made. */
  onFile(done: number, total: number): void
}

const SEED = 20_260_302
/** Of a full stock; a small community gets by with fewer. */
const COUNTS = { pictures: 60, faces: 36, tunes: 8, videos: 10 }
/** How far the colours of a game's pictures are turned, in degrees. */
const TURNS = [0, 325, 85, 40, 120]
const VIDEO = { seconds: 4, rate: 24, longer: 640, shorter: 360, margin: 1.2 }
const VIDEO_CODECS =
  '-c:v libx264 -preset superfast -crf 27 -c:a aac -b:a 80k -fflags +bitexact -movflags +faststart -f mp4'.split(
    ' ',
  )
const VIDEO_LIMITS = { seconds: 60, memoryBytes: 2 * 1024 ** 3, fileBytes: 64 * 1024 ** 2 }

/** Makes all files, several at once; for a community of so many works. */
export async function makeStock(workshop: Workshop, works: number): Promise<Stock> {
  const { staging, ffmpeg } = workshop
  const random = seeded(SEED)
  const share = Math.min(1, works / 1000)
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

/** So many of a list, from all over it. */
function spread<T>(list: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)] as T)
}

/** Works through a list, as many at once as there are processors; results in the order of the list. */
async function each<T, R>(
  list: readonly T[],
  work: (item: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const waiting = list.entries()
  async function take(): Promise<void> {
    for (const [at, item] of waiting) results[at] = await work(item, at)
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

/** Some seconds of moving over a picture, with music: an MP4 that browsers play as it is. */
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
