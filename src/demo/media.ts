/** Assigns files of the stock to contents and users. */
import { inTurns, type Random } from './random.ts'
import type { Stock, StockGame, StockPicture } from './stock.ts'
import type { User, Content } from './world.ts'

/** Games that become playable: this many of the newest, and this many of the most liked. */
const PLAYABLE = 24

/** Assigns media, thumbnails and portraits. */
export function giveMedia(
  random: Random,
  {
    users,
    works: contents,
    premieres,
    stock,
  }: Record<'works' | 'premieres', Content[]> & {
    users: User[]
    stock: Stock
  },
): void {
  for (const user of users) {
    if (random.chance(0.88)) user.portrait = random.pick(stock.faces)
  }
  for (const [at, content] of premieres.entries()) {
    const video = stock.videos[at % stock.videos.length]
    if (!video) continue
    const { file, picture } = video
    content.category = picture.isUpright ? 'swipe' : 'hype'
    Object.assign(content, { media: [file], thumbnail: picture.file })
  }
  const playable = pickPlayable(contents)
  const turns = inTurns(random)
  // In the order of lists, so that neighbours look different.
  for (const content of contents.toSorted(
    (a, b) => (a.published_at ?? a.at) - (b.published_at ?? b.at),
  )) {
    if (content.media.length > 0) continue
    const turn = playable.indexOf(content)
    if (turn < 0) Object.assign(content, choose(random, turns, content, stock))
    else {
      const game = stock.games[turn % stock.games.length] as StockGame
      becomePlayable(content, game, Math.floor(turn / stock.games.length))
    }
  }
}

function choose(
  random: Random,
  turns: <T>(list: readonly T[]) => T,
  { category, type }: Content,
  stock: Stock,
): Pick<Content, 'media' | 'thumbnail'> {
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
function pickPlayable(contents: Content[]): Content[] {
  const games = contents.filter(
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
function becomePlayable(content: Content, { game, file, covers }: StockGame, nth: number): void {
  const { title, description } = game.texts[content.creator.tongue]
  if (nth === 0) Object.assign(content, { title, description })
  content.media = [file, covers[nth % covers.length] as Blob]
  content.game = { orientation: game.orientation, controls: game.controls }
  content.isPlayable = true
}
