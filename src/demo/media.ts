/** Assigns files of the stock to contents and users. */
import { inTurns, type Random } from './random.ts'
import type { Stock, StockGame, StockPicture } from './stock.ts'
import type { Person, Work } from './world.ts'

/** Games that become playable: this many of the newest, and this many of the most liked. */
const PLAYABLE = 24

/** Assigns media, thumbnails and portraits. */
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
  const turns = inTurns(random)
  // In the order of lists, so that neighbours look different.
  for (const work of works.toSorted(
    (a, b) => (a.published_at ?? a.at) - (b.published_at ?? b.at),
  )) {
    if (work.media.length > 0) continue
    const turn = playable.indexOf(work)
    if (turn < 0) Object.assign(work, choose(random, turns, work, stock))
    else {
      const game = stock.games[turn % stock.games.length] as StockGame
      becomePlayable(work, game, Math.floor(turn / stock.games.length))
    }
  }
}

function choose(
  random: Random,
  turns: <T>(list: readonly T[]) => T,
  { category, type }: Work,
  stock: Stock,
): Pick<Work, 'media' | 'thumbnail'> {
  const isUpright = category === 'swipe'
  const pictures = stock.pictures.filter((picture) => picture.isUpright === isUpright)
  const some = (count: number): Blob[] => {
    const chosen = new Set<StockPicture>()
    while (chosen.size < Math.min(count, pictures.length)) chosen.add(turns(pictures))
    return [...chosen].map(({ file }) => file)
  }
  if (type === 'audio') return { media: [random.pick(stock.tunes)], thumbnail: some(1)[0] }
  if (type === 'video') {
    const filmed = stock.videos
      .map(({ picture }) => picture)
      .filter((one) => pictures.includes(one))
    if (filmed.length === 0) return { media: [], thumbnail: some(1)[0] }
    const shown = turns(filmed)
    const { file } = stock.videos.find(({ picture }) => picture === shown) as { file: Blob }
    return { media: [file], thumbnail: shown.file }
  }
  if (type === 'image') {
    return { media: some(Math.max(1, random.integer(-1, 4))), thumbnail: undefined }
  }
  const count = type === 'article' && random.chance(0.2) ? 0 : 1
  return { media: some(count), thumbnail: undefined }
}

/** Picks the games that become playable. */
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

/** Assigns a game. Its first use also gets the game's own name. Later ones get covers in other colours. */
function becomePlayable(work: Work, { game, file, covers }: StockGame, nth: number): void {
  const { title, description } = game.texts[work.creator.tongue]
  if (nth === 0) Object.assign(work, { title, description })
  work.media = [file, covers[nth % covers.length] as Blob]
  work.game = { orientation: game.orientation, controls: game.controls }
  work.isPlayable = true
}
