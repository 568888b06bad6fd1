import { phrase, WORDS } from './phrase.ts'
import { longTail, type Random, shuffled, weighted } from './random.ts'
import { HOUR, momentOf, recentMoment } from './times.ts'
import type { Category, ContentType, User, Content } from './world.ts'

const LIKES_PER_WORK = 19
const COMMENTS_PER_WORK = 3

const KINDS: { category: Category; type: ContentType; share: number }[] = [
  { category: 'hype', type: 'video', share: 20 },
  { category: 'hype', type: 'image', share: 13 },
  { category: 'hype', type: 'audio', share: 8 },
  { category: 'hype', type: 'article', share: 9 },
  { category: 'swipe', type: 'video', share: 23 },
  { category: 'swipe', type: 'image', share: 7 },
  { category: 'jump', type: 'game', share: 20 },
]

/**
 * Makes contents. The first user gets some of every type, and the `premieres`: videos published before all
 * others.
 */
export function makeContents(
  random: Random,
  now: number,
  users: User[],
  counts: { contents: number; premieres: number },
): { contents: Content[]; premieres: Content[] } {
  const count = Math.max(counts.contents, counts.premieres)
  const likes = shuffled(random, longTail(count, count * LIKES_PER_WORK)).map(
    (share) => share * random.exponential(1),
  )
  const comments = longTail(count, count * COMMENTS_PER_WORK)
  // Content with more likes also gets more comments, in a slightly different order.
  const order = likes
    .map((share, i) => ({ i, key: share * (0.5 + random.next()) }))
    .sort((a, b) => b.key - a.key)
  const talk = new Map(order.map(({ i }, rank) => [i, comments[rank] ?? 0]))
  const creators = weighted(
    random,
    users.filter(({ fame }) => fame > 0),
    ({ fame }) => fame ** 0.7,
  )
  const kinds = weighted(random, KINDS, ({ share }) => share)
  const [first] = users as [User]
  const contents = likes.map((share, i) => {
    const isPremiere = i < counts.premieres
    const ofEach = isPremiere ? undefined : KINDS[i - counts.premieres]
    const premiere = isPremiere ? KINDS.find(({ type }) => type === 'video') : undefined
    const kind = premiere ?? ofEach ?? kinds()
    const creator = premiere || ofEach ? first : creators()
    const content = makeContent(random, now, creator, kind, {
      likes: Math.min(Math.round(share), Math.floor(users.length / 2)),
      comments: Math.round(talk.get(i) ?? 0),
    })
    if (premiere) content.at = first.at
    return content
  })
  return { contents, premieres: contents.slice(0, counts.premieres) }
}

function makeContent(
  random: Random,
  now: number,
  creator: User,
  { category, type }: Pick<Content, 'category' | 'type'>,
  draws: Pick<Content, 'likes' | 'comments'>,
): Content {
  const wanted = recentMoment(random, now)
  const fits = wanted > creator.at && wanted < creator.until
  const released = fits
    ? wanted
    : (momentOf(random, creator, creator.at, creator.until) ?? creator.at + 1)
  const at = random.chance(0.8)
    ? released
    : Math.max(creator.at + 1, released - random.integer(HOUR, 72 * HOUR))
  const fate = random.chance(0.05) ? 'draft' : random.chance(0.03) ? 'archived' : 'shown'
  const published_at = fate === 'draft' ? null : released
  const archived_at = fate === 'archived' ? Math.floor((released + creator.until) / 2) : null
  const { tongue } = creator
  return {
    id: '',
    at,
    creator,
    category,
    type,
    ...textsOf(random, tongue, category === 'swipe' ? 'short' : type),
    game: type === 'game' ? makeGame(random, tongue) : null,
    isPlayable: false,
    text: type === 'article' ? makeText(random, tongue) : null,
    media: [],
    thumbnail: undefined,
    published_at,
    archived_at,
    until: archived_at ?? (creator.suspension === null ? now : creator.until),
    likes: published_at === null ? 0 : draws.likes,
    comments: published_at === null ? 0 : draws.comments,
  }
}

function textsOf(random: Random, tongue: User['tongue'], kind: ContentType | 'short') {
  const { titles, descriptions, tags } = WORDS[tongue]
  return {
    title: phrase(random, tongue, titles[kind]),
    description: random.chance(0.75) ? phrase(random, tongue, descriptions) : null,
    tags: shuffled(random, tags[kind]).slice(0, random.integer(0, 4)),
  }
}

function makeGame(random: Random, tongue: User['tongue']): Content['game'] {
  return {
    orientation: random.pick(['landscape', 'portrait', 'any'] as const),
    controls: shuffled(random, WORDS[tongue].controls).slice(0, random.integer(1, 3)),
  }
}

function makeText(random: Random, tongue: User['tongue']): string {
  const paragraph = () =>
    Array.from({ length: random.integer(2, 5) }, () =>
      phrase(random, tongue, WORDS[tongue].sentences),
    ).join(' ')
  return Array.from({ length: random.integer(2, 6) }, paragraph).join('\n\n')
}
