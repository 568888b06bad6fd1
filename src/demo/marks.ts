import { longTail, type Random, shuffled, weighted } from './random.ts'
import { MINUTE, momentOf } from './times.ts'
import type { Follow, Mark, User, Visit, Content } from './world.ts'

const FOLLOWS_PER_PERSON = 15
/** Visits without an account, in addition to the views of users who like the content. */
const VISITS_PER_LIKE = 0.6
const VISITS_AT_LEAST = { min: 0, max: 8 }
const BROWSERS = ['Firefox/139.0', 'Chrome/138.0', 'Safari/18.5', 'Edg/138.0', 'SamsungBrowser/28']
/** Users who play a game once. Some play again. */
const PLAYS_PER_LIKE = 2
const PLAYS_MAX = 400

/** Makes likes and bookmarks, and the views that go with them. */
export function makeMarks(
  random: Random,
  contents: Content[],
  actor: () => User,
): { likes: Mark[]; bookmarks: Mark[]; visits: Visit[] } {
  const likes: Mark[] = []
  const bookmarks: Mark[] = []
  const visits: Visit[] = []
  for (const content of contents) {
    const from = content.published_at
    if (from === null) continue
    const own = [...pickActors(random, content, actor)].map(({ person: user, at }) => ({
      content,
      user,
      at,
    }))
    likes.push(...own)
    for (const { user, at } of own) {
      if (!random.chance(0.17)) continue
      const later = at + random.integer(1000, 10 * MINUTE)
      bookmarks.push({ content, user, at: Math.min(later, user.until - 1, content.until - 1) })
    }
    const { min, max } = VISITS_AT_LEAST
    const count = Math.round(own.length * VISITS_PER_LIKE) + random.integer(min, max)
    for (let i = 0; i < count; i++) {
      const at = Math.floor(from + (content.until - from) * random.next() ** 3)
      visits.push({ content, at, browser: `${random.pick(BROWSERS)} (${i})` })
    }
  }
  return { likes, bookmarks, visits }
}

/** Picks different users who are active while the content is public, as many as its likes if possible. */
function* pickActors(random: Random, content: Content, actor: () => User) {
  const seen = new Set<User>()
  for (let tries = content.likes * 3; tries > 0 && seen.size < content.likes; tries--) {
    const user = actor()
    if (seen.has(user)) continue
    const at = momentOf(random, user, content.published_at ?? 0, content.until)
    if (at === undefined) continue
    seen.add(user)
    yield { person: user, at }
  }
}

/** Makes plays of the playable games. */
export function makePlays(random: Random, contents: Content[], actor: () => User): Mark[] {
  const plays: Mark[] = []
  for (const content of contents) {
    if (!content.isPlayable) continue
    const wanted = Math.min(PLAYS_MAX, content.likes * PLAYS_PER_LIKE + random.integer(3, 40))
    for (let tries = wanted; tries > 0; tries--) {
      const user = actor()
      const at = momentOf(random, user, content.published_at ?? 0, content.until)
      if (at !== undefined) plays.push({ at, content, user })
    }
  }
  return plays
}

/** Makes follows. Famous users get more followers. */
export function makeFollows(random: Random, now: number, users: User[]): Follow[] {
  const follows: Follow[] = []
  const known = weighted(random, users, ({ fame }) => fame + 0.02)
  const wishes = shuffled(random, longTail(users.length, users.length * FOLLOWS_PER_PERSON))
  for (const [i, follower] of users.entries()) {
    const wanted = Math.min(Math.round(wishes[i] ?? 0), Math.floor(users.length / 2))
    const seen = new Set([follower])
    for (let tries = wanted * 3; tries > 0 && seen.size <= wanted; tries--) {
      const creator = known()
      if (seen.has(creator)) continue
      const until = creator.suspension === null ? now : creator.until
      const at = momentOf(random, follower, creator.at, until)
      if (at === undefined) continue
      seen.add(creator)
      follows.push({ creator, follower, at })
    }
  }
  return follows
}
