/** The files of the demo: made here, and stored as uploads are. */
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { join } from 'node:path'
import { readFile, writeFile } from 'node:fs/promises'
import { type Ffmpeg, runFfmpeg } from '../conversion/ffmpeg.ts'
import type { Handle } from '../db/handle.ts'
import { openPicture } from '../pictures/libvips.ts'
import { type Place, type StoredFile, storeFile } from '../uploads/rules.ts'
import { face } from './art/faces.ts'
import { drawGallery, type Picture } from './art/gallery.ts'
import { tune } from './art/tune.ts'
import { type Game, GAMES } from './games/games.ts'
import { seeded } from './random.ts'

export interface StoredPicture {
  stored: StoredFile
  isUpright: boolean
}

export interface StoredGame {
  game: Game
  stored: StoredFile
  cover: StoredFile
}

/** What works and people have, each many times over. */
export interface Stock {
  pictures: StoredPicture[]
  faces: StoredFile[]
  tunes: StoredFile[]
  /** None where the machine has no ffmpeg. Each moves over a picture of the stock. */
  videos: { stored: StoredFile; picture: StoredPicture }[]
  games: StoredGame[]
}

interface Workshop {
  place: Place
  db: Handle
  ffmpeg: Ffmpeg | undefined
  /** One more of so many files is stored. */
  onFile(done: number, total: number): void
}

const SEED = 20_260_302
/** Of a full stock; a small community gets by with fewer. */
const COUNTS = { pictures: 40, faces: 36, tunes: 8, videos: 12 }
const VIDEO = { seconds: 6, rate: 24, longer: 640, shorter: 360, margin: 1.2 }
const VIDEO_CODECS =
  '-c:v libx264 -preset superfast -crf 27 -c:a aac -b:a 80k -fflags +bitexact -movflags +faststart -f mp4'.split(
    ' ',
  )
const VIDEO_LIMITS = { seconds: 60, memoryBytes: 2 * 1024 ** 3, fileBytes: 64 * 1024 ** 2 }

/** Makes and stores all files, several at once; for a community of so many works. */
export async function makeStock(workshop: Workshop, works: number): Promise<Stock> {
  const { place, db, ffmpeg } = workshop
  const random = seeded(SEED)
  const share = Math.min(1, works / 1000)
  const countOf = (name: keyof typeof COUNTS) => Math.max(4, Math.round(COUNTS[name] * share))
  const drawn = spread(drawGallery(), countOf('pictures'))
  const filmed = ffmpeg ? spread(drawn, countOf('videos')) : []
  const faces = Array.from({ length: countOf('faces') }, () => face(random))
  const tunes = Array.from({ length: countOf('tunes') }, () => tune(random))
  const total = drawn.length + filmed.length + faces.length + tunes.length + 2 * GAMES.length
  let done = 0
  const store = async (bytes: Buffer) => {
    const stored = await storeFile(place, db, Readable.from([bytes]))
    workshop.onFile(++done, total)
    return stored
  }
  const pictures = await each(drawn, async ({ svg, width, height }) => ({
    stored: await store(await toJpeg(svg)),
    isUpright: height > width,
  }))
  const videos = await each(filmed, async (picture, at) => ({
    stored: await store(
      await film(place, ffmpeg as Ffmpeg, picture, tunes[at % tunes.length] as Buffer),
    ),
    picture: pictures[drawn.indexOf(picture)] as StoredPicture,
  }))
  return {
    pictures,
    videos,
    faces: await each(faces, async (svg) => store(await toPng(svg))),
    tunes: await each(tunes, store),
    games: await each(GAMES, async (game) => ({
      game,
      stored: await store(game.bytes()),
      cover: await store(await toJpeg(game.cover())),
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

async function toJpeg(svg: string): Promise<Buffer> {
  return (await openPicture(Buffer.from(svg))).jpeg({ quality: 86 }).toBuffer()
}

async function toPng(svg: string): Promise<Buffer> {
  return (await openPicture(Buffer.from(svg))).png().toBuffer()
}

/** Some seconds of moving over a picture, with music: an MP4 that browsers play as it is. */
async function film(
  place: Place,
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
  return place.staging.withFolder(async (folder) => {
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
