/** Gives works and people what they show, from the stock: an upload of the owner's for each file. */
import type { StoredFile } from '../uploads/rules.ts'
import { type Random, shuffled } from './random.ts'
import type { Stock, StoredGame } from './stock.ts'
import { MINUTE } from './times.ts'
import type { Person, Upload, Work } from './world.ts'

/** Games that can be played: so many of the newest, and as many of those that draw most. */
const PLAYABLE = 24

/** Fills in media, thumbnails and portraits; gives the uploads that this takes, each file once for each owner. */
export function giveMedia(
  random: Random,
  { people, works, stock }: { people: Person[]; works: Work[]; stock: Stock },
): Upload[] {
  const uploads = new Map<string, Upload>()
  const uploadOf = (owner: Person, { file }: StoredFile, at: number): Upload => {
    const key = `${owner.handle} ${file.sha256}`
    const known = uploads.get(key)
    if (known) return known
    const upload = { id: '', at: Math.max(owner.at, at), owner, file }
    uploads.set(key, upload)
    return upload
  }
  for (const person of people) {
    if (!random.chance(0.88)) continue
    person.avatar = uploadOf(person, random.pick(stock.faces), person.at + MINUTE)
  }
  const playable = pickPlayable(works)
  // In the order of time, so that an upload is there before the first work that shows it.
  for (const work of works.toSorted((a, b) => a.at - b.at)) {
    const chosen = choose(random, work, stock)
    const own = (file: StoredFile) => uploadOf(work.creator, file, work.at - MINUTE)
    const kind = playable.get(work)
    if (kind === undefined) {
      work.media = chosen.media.map(own)
      work.thumbnail = chosen.thumbnail && own(chosen.thumbnail)
    } else {
      const game = stock.games[kind.turn % stock.games.length] as StoredGame
      work.media = [own(game.stored), own(game.cover)]
      becomePlayable(work, game, kind.isFirst)
    }
  }
  return [...uploads.values()]
}

interface Chosen {
  media: StoredFile[]
  /** A picture that is not among the media. */
  thumbnail: StoredFile | undefined
}

function choose(random: Random, { category, type }: Work, stock: Stock): Chosen {
  const isUpright = category === 'swipe'
  const pictures = stock.pictures.filter((picture) => picture.isUpright === isUpright)
  const some = (count: number) =>
    shuffled(random, pictures)
      .slice(0, count)
      .map(({ stored }) => stored)
  const one = some(1)[0]
  if (type === 'audio') return { media: [random.pick(stock.tunes)], thumbnail: one }
  if (type === 'video') {
    const videos = stock.videos.filter(({ picture }) => picture.isUpright === isUpright)
    if (videos.length === 0) return { media: [], thumbnail: one }
    const { stored, picture } = random.pick(videos)
    return { media: [stored], thumbnail: picture.stored }
  }
  if (type === 'image') {
    return { media: some(Math.max(1, random.integer(-1, 4))), thumbnail: undefined }
  }
  const count = type === 'article' && random.chance(0.2) ? 0 : 1
  return { media: some(count), thumbnail: undefined }
}

/** Which games can be played; the runtimes take turns, and the first one of each is the one it names. */
function pickPlayable(works: Work[]): Map<Work, { turn: number; isFirst: boolean }> {
  const games = works.filter((work) => work.type === 'game' && work.is_public)
  const drawing = games.toSorted((a, b) => b.likes - a.likes).slice(0, PLAYABLE)
  const newest = games
    .toSorted((a, b) => (b.published_at ?? 0) - (a.published_at ?? 0))
    .slice(0, PLAYABLE)
  const all = [...new Set([...drawing, ...newest])]
  return new Map(all.map((work, turn) => [work, { turn, isFirst: turn < 3 }]))
}

function becomePlayable(work: Work, { game, stored }: StoredGame, isFirst: boolean): void {
  const { title, description, controls } = game.texts[work.creator.tongue]
  if (isFirst) Object.assign(work, { title, description })
  if (!stored.bundle) throw new Error(`${title} is no bundle`)
  const { runtime, entry } = stored.bundle
  work.game = JSON.stringify({ runtime, entry, orientation: game.orientation, controls })
  work.isPlayable = true
}

/** The picture that is shown of a work. */
export function thumbnailOf({ media, thumbnail }: Work): string | null {
  const shown = thumbnail ?? media.find(({ file }) => file.thumbnail_path !== null)
  return shown?.file.thumbnail_path ?? null
}
