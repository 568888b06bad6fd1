/** Gives works and people what they show, from the stock. */
import { type Random, shuffled } from './random.ts'
import type { Stock, StockGame } from './stock.ts'
import type { Person, Work } from './world.ts'

/** Games that can be played: so many of the newest, and as many of those that draw most. */
const PLAYABLE = 24

/** Fills in media, thumbnails and portraits. */
export function giveMedia(
  random: Random,
  {
    people,
    works,
    premieres,
    stock,
  }: Record<'works' | 'premieres', Work[]> & {
    people: Person[]
    stock: Stock
  },
): void {
  for (const person of people) {
    if (random.chance(0.88)) person.portrait = random.pick(stock.faces)
  }
  for (const [at, work] of premieres.entries()) {
    const video = stock.videos[at % stock.videos.length]
    if (!video) continue
    const { file, picture } = video
    work.category = picture.isUpright ? 'swipe' : 'hype'
    Object.assign(work, { media: [file], thumbnail: picture.file })
  }
  const playable = pickPlayable(works)
  for (const work of works) {
    if (work.media.length > 0) continue
    const turn = playable.indexOf(work)
    if (turn < 0) Object.assign(work, choose(random, work, stock))
    else {
      const game = stock.games[turn % stock.games.length] as StockGame
      becomePlayable(work, game, turn < stock.games.length)
    }
  }
}

function choose(
  random: Random,
  { category, type }: Work,
  stock: Stock,
): Pick<Work, 'media' | 'thumbnail'> {
  const isUpright = category === 'swipe'
  const pictures = stock.pictures.filter((picture) => picture.isUpright === isUpright)
  const some = (count: number) =>
    shuffled(random, pictures)
      .slice(0, count)
      .map(({ file }) => file)
  const one = some(1)[0]
  if (type === 'audio') return { media: [random.pick(stock.tunes)], thumbnail: one }
  if (type === 'video') {
    const videos = stock.videos.filter(({ picture }) => picture.isUpright === isUpright)
    if (videos.length === 0) return { media: [], thumbnail: one }
    const { file, picture } = random.pick(videos)
    return { media: [file], thumbnail: picture.file }
  }
  if (type === 'image') {
    return { media: some(Math.max(1, random.integer(-1, 4))), thumbnail: undefined }
  }
  const count = type === 'article' && random.chance(0.2) ? 0 : 1
  return { media: some(count), thumbnail: undefined }
}

/** Which games can be played; the runtimes take turns, and the first one of each is the one it names. */
function pickPlayable(works: Work[]): Work[] {
  const games = works.filter(
    ({ type, published_at, archived_at, creator }) =>
      type === 'game' &&
      published_at !== null &&
      archived_at === null &&
      creator.suspension === null,
  )
  const drawing = games.toSorted((a, b) => b.likes - a.likes).slice(0, PLAYABLE)
  const newest = games
    .toSorted((a, b) => (b.published_at ?? 0) - (a.published_at ?? 0))
    .slice(0, PLAYABLE)
  return [...new Set([...drawing, ...newest])]
}

function becomePlayable(work: Work, { game, file, cover }: StockGame, isFirst: boolean): void {
  const { title, description, controls } = game.texts[work.creator.tongue]
  if (isFirst) Object.assign(work, { title, description })
  work.media = [file, cover]
  work.game = { orientation: game.orientation, controls }
  work.isPlayable = true
}
