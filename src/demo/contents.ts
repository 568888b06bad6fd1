import { phrase, WORDS } from './phrase.ts'
import { longTail, type Random, shuffled, times, weighted } from './random.ts'
import { HOUR, recentMoment } from './times.ts'
import type { Content, User } from './world.ts'

const LIKES_PER_CONTENT = 17
const COMMENTS_PER_CONTENT = 3

type Kind = Pick<Content, 'category' | 'type'> & { share: number }

const VIDEO: Kind = { category: 'hype', type: 'video', share: 20 }
const KINDS: Kind[] = [
  VIDEO,
  { category: 'hype', type: 'image', share: 13 },
  { category: 'hype', type: 'audio', share: 8 },
  { category: 'hype', type: 'article', share: 9 },
  { category: 'swipe', type: 'video', share: 23 },
  { category: 'swipe', type: 'image', share: 7 },
  { category: 'jump', type: 'game', share: 20 },
]

/** Generates contents. The first user gets the `premieres`, the videos that are published first. */
export function makeContents(
  random: Random,
  now: number,
  users: User[],
  counts: { contents: number; premieres: number },
): { contents: Content[]; premieres: Content[] } {
  const count = Math.max(counts.contents, counts.premieres)
  const [first] = users as [User]
  const creators = weighted(random, users, ({ fame }) => fame ** 0.7)
  const kinds = weighted(random, KINDS, ({ share }) => share)
  const contents = shuffled(random, longTail(count, 1)).map((share, i) => {
    const isPremiere = i < counts.premieres
    const kind = isPremiere ? VIDEO : KINDS[i - counts.premieres]
    const content = makeContent(random, now, kind ? first : creators(), kind ?? kinds())
    if (isPremiere) content.created_at = first.created_at
    if (content.published_at === null) return content
    const interest = share * random.exponential(count)
    content.likes = Math.min(Math.round(interest * LIKES_PER_CONTENT), Math.floor(users.length / 2))
    content.comments = Math.round(interest * COMMENTS_PER_CONTENT * (0.5 + random.next()))
    return content
  })
  return { contents, premieres: contents.slice(0, counts.premieres) }
}

function makeContent(
  random: Random,
  now: number,
  creator: User,
  { category, type }: Kind,
): Content {
  const released = recentMoment(random, creator, now) ?? creator.created_at + 1
  const drafted = Math.max(creator.created_at + 1, released - random.integer(HOUR, 72 * HOUR))
  const fate = random.chance(0.05) ? 'draft' : random.chance(0.03) ? 'archived' : 'shown'
  const archived_at = fate === 'archived' ? Math.floor((released + creator.until) / 2) : null
  const { tongue } = creator
  const { titles, descriptions, tags, controls, sentences } = WORDS[tongue]
  const kind = category === 'swipe' ? 'short' : type
  const paragraph = () =>
    times(random.integer(2, 5), () => phrase(random, tongue, sentences)).join(' ')
  const orientation = random.pick(['landscape', 'portrait', 'any'] as const)
  const keys = shuffled(random, controls).slice(0, random.integer(1, 3))
  return {
    id: '',
    created_at: random.chance(0.8) ? released : drafted,
    creator,
    category,
    type,
    title: phrase(random, tongue, titles[kind]),
    description: random.chance(0.75) ? phrase(random, tongue, descriptions) : null,
    tags: shuffled(random, tags[kind]).slice(0, random.integer(0, 4)),
    game: type === 'game' ? { orientation, controls: keys } : null,
    isPlayable: false,
    text: type === 'article' ? times(random.integer(2, 6), paragraph).join('\n\n') : null,
    media: [],
    thumbnail: undefined,
    published_at: fate === 'draft' ? null : released,
    archived_at,
    until: archived_at ?? (creator.suspension === null ? now : creator.until),
    likes: 0,
    comments: 0,
  }
}

export function isShown({ published_at, archived_at, creator }: Content): boolean {
  return published_at !== null && archived_at === null && creator.suspension === null
}
