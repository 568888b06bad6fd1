import { isShown } from './contents.ts'
import { inTurns, type Random } from './random.ts'
import type { Stock, StockGame } from './stock.ts'
import type { Content, User } from './world.ts'

/** The PLAYABLE newest and the PLAYABLE most liked games get a playable bundle. */
const PLAYABLE = 24

/** Assigns media to users and contents. Each content item of `premieres` gets one video. */
export function giveMedia(
  random: Random,
  stock: Stock,
  { users, contents, premieres }: { users: User[]; contents: Content[]; premieres: Content[] },
): void {
  for (const user of users) if (random.chance(0.88)) user.portrait = random.pick(stock.faces)
  for (const [i, { file, picture }] of stock.videos.entries()) {
    const category = picture.isUpright ? 'swipe' : 'hype'
    Object.assign(premieres[i] ?? {}, { category, media: [file], thumbnail: picture.file })
  }
  const playable = pickPlayable(contents)
  const turns = inTurns(random)
  const timeOf = ({ published_at, created_at }: Content) => published_at ?? created_at
  // Assigns media in order of publication, so that neighbours in lists look different.
  for (const content of contents.toSorted((a, b) => timeOf(a) - timeOf(b))) {
    const turn = playable.indexOf(content)
    const game = stock.games[turn % stock.games.length]
    if (game) becomePlayable(content, game, Math.floor(turn / stock.games.length))
    else if (content.media.length === 0) choose(random, turns, content, stock)
  }
}

type Turns = ReturnType<typeof inTurns>

function choose(random: Random, turns: Turns, content: Content, stock: Stock): void {
  const isUpright = content.category === 'swipe'
  const pictures = stock.pictures.filter((picture) => picture.isUpright === isUpright)
  const some = (count: number): Blob[] => {
    const chosen = new Set<Blob>()
    while (chosen.size < Math.min(count, pictures.length)) chosen.add(turns(pictures).file)
    return [...chosen]
  }
  const { type } = content
  const videos = stock.videos.filter(({ picture }) => picture.isUpright === isUpright)
  if (type === 'video' && videos.length > 0) {
    const { file, picture } = turns(videos)
    content.media = [file]
    content.thumbnail = picture.file
  } else if (type === 'video' || type === 'audio') {
    content.media = type === 'audio' ? [random.pick(stock.tunes)] : []
    content.thumbnail = some(1)[0]
  } else {
    const isTextOnly = type === 'article' && random.chance(0.2)
    content.media = some(type === 'image' ? Math.max(1, random.integer(-1, 4)) : isTextOnly ? 0 : 1)
  }
}

function pickPlayable(contents: Content[]): Content[] {
  const games = contents.filter((content) => content.type === 'game' && isShown(content))
  const liked = games.toSorted((a, b) => b.likes - a.likes)
  const newest = games.toSorted((a, b) => (b.published_at ?? 0) - (a.published_at ?? 0))
  return [...new Set([...liked.slice(0, PLAYABLE), ...newest.slice(0, PLAYABLE)])]
}

/**
 * Turns a content item into a playable game. The first item with a game gets the game's name; later items get
 * covers in other colours.
 */
function becomePlayable(content: Content, { game, file, covers }: StockGame, nth: number): void {
  if (nth === 0) Object.assign(content, game.texts[content.creator.tongue])
  content.media = [file, covers[nth % covers.length] as Blob]
  content.game = { orientation: game.orientation, controls: game.controls }
  content.isPlayable = true
}
