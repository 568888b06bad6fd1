import type { Category, ContentType } from '../db/tables.ts'
import { phrase, WORDS } from './phrase.ts'
import { longTail, type Random, shuffled, weighted } from './random.ts'
import { HOUR, momentOf, recentMoment } from './times.ts'
import type { Person, Work } from './world.ts'

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

export function makeWorks(random: Random, now: number, people: Person[], count: number): Work[] {
  const likes = shuffled(random, longTail(count, count * LIKES_PER_WORK)).map(
    (share) => share * random.exponential(1),
  )
  const comments = longTail(count, count * COMMENTS_PER_WORK)
  // What is liked more is talked about more, though not quite in the same order.
  const order = likes
    .map((share, i) => ({ i, key: share * (0.5 + random.next()) }))
    .sort((a, b) => b.key - a.key)
  const talk = new Map(order.map(({ i }, rank) => [i, comments[rank] ?? 0]))
  const creators = weighted(
    random,
    people.filter(({ fame }) => fame > 0),
    ({ fame }) => fame ** 0.7,
  )
  return likes.map((share, i) =>
    makeWork(random, now, creators(), {
      likes: Math.min(Math.round(share), Math.floor(people.length / 2)),
      comments: Math.round(talk.get(i) ?? 0),
    }),
  )
}

function makeWork(
  random: Random,
  now: number,
  creator: Person,
  draws: Pick<Work, 'likes' | 'comments'>,
): Work {
  const { category, type } = weighted(random, KINDS, ({ share }) => share)()
  const wanted = recentMoment(random, now)
  const fits = wanted > creator.at && wanted < creator.until
  const released = fits
    ? wanted
    : (momentOf(random, creator, creator.at, creator.until) ?? creator.at)
  const at = random.chance(0.8)
    ? released
    : Math.max(creator.at, released - random.integer(HOUR, 72 * HOUR))
  const status = random.chance(0.05) ? 'draft' : random.chance(0.03) ? 'archived' : 'published'
  const suspended = creator.suspension === null ? now : creator.until
  const archived = status === 'archived' ? Math.floor((released + suspended) / 2) : suspended
  const isDraft = status === 'draft'
  const { tongue } = creator
  return {
    id: '',
    at,
    creator,
    category,
    type,
    ...textsOf(random, tongue, category === 'swipe' ? 'short' : type),
    status,
    game: type === 'game' ? makeGame(random, tongue) : null,
    isPlayable: false,
    text: type === 'article' ? makeText(random, tongue) : null,
    media: [],
    thumbnail: undefined,
    published_at: isDraft ? null : released,
    updated_at: status === 'archived' ? archived : released,
    until: archived,
    is_public: status === 'published' && creator.suspension === null,
    likes: isDraft ? 0 : draws.likes,
    comments: isDraft ? 0 : draws.comments,
    like_count: 0,
    bookmark_count: 0,
    comment_count: 0,
    listed_comment_count: 0,
    top_comment_count: 0,
    view_count: 0,
    play_count: 0,
    last_comment: undefined,
  }
}

function textsOf(random: Random, tongue: Person['tongue'], kind: ContentType | 'short') {
  const { titles, descriptions, tags } = WORDS[tongue]
  return {
    title: phrase(random, tongue, titles[kind]),
    description: random.chance(0.75) ? phrase(random, tongue, descriptions) : null,
    tags: shuffled(random, tags[kind]).slice(0, random.integer(0, 4)),
  }
}

function makeGame(random: Random, tongue: Person['tongue']): string {
  return JSON.stringify({
    runtime: null,
    entry: null,
    orientation: random.pick(['landscape', 'portrait', 'any']),
    controls: shuffled(random, WORDS[tongue].controls).slice(0, random.integer(1, 3)),
  })
}

function makeText(random: Random, tongue: Person['tongue']): string {
  const paragraph = () =>
    Array.from({ length: random.integer(2, 5) }, () =>
      phrase(random, tongue, WORDS[tongue].sentences),
    ).join(' ')
  return Array.from({ length: random.integer(2, 6) }, paragraph).join('\n\n')
}
