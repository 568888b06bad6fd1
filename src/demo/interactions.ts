import { longTail, type Random, shuffled, times } from './random.ts'
import { MINUTE, momentOf } from './times.ts'
import type { Content, Entity, Interaction, Remark, User, Visit } from './world.ts'

const FOLLOWS_PER_FAME = 35
/** Anonymous visits per like of a content item, in addition to the views of the users who like it. */
const VISITS_PER_LIKE = 0.6
/** Maximum number of additional anonymous visits to a content item. The actual number is random. */
const VISITS_EXTRA = 8
const BROWSERS = ['Firefox/139.0', 'Chrome/138.0', 'Safari/18.5', 'Edg/138.0', 'SamsungBrowser/28']
const PLAYS_PER_LIKE = 2
const PLAYS_MAX = 400
const LIKES_PER_POST = 4

function makeInteractions<T extends Entity>(
  random: Random,
  target: T,
  actor: () => User,
  { count, from, until }: { count: number; from: number; until: number },
): Interaction<T>[] {
  const interactions = new Map<User, Interaction<T>>()
  for (let tries = count * 3; tries > 0 && interactions.size < count; tries--) {
    const user = actor()
    const time = interactions.has(user) ? undefined : momentOf(random, user, from, until)
    if (time !== undefined) interactions.set(user, { target, user, time })
  }
  return [...interactions.values()]
}

export function makeLikes(random: Random, contents: Content[], actor: () => User): Interaction[] {
  return contents.flatMap((content) => {
    const { likes: count, published_at, until } = content
    return makeInteractions(random, content, actor, { count, from: published_at ?? 0, until })
  })
}

export function makePostLikes(random: Random, posts: Remark[], now: number, actor: () => User) {
  const counts = shuffled(random, longTail(posts.length, posts.length * LIKES_PER_POST))
  return posts.flatMap((post, i) => {
    const until = post.deleted_at ?? now
    return makeInteractions(random, post, actor, {
      count: Math.round(counts[i] ?? 0),
      from: post.created_at,
      until,
    })
  })
}

export function makeBookmarks(random: Random, likes: Interaction[]): Interaction[] {
  return likes
    .filter(() => random.chance(0.17))
    .map(({ target, user, time }) => {
      const later = time + random.integer(1000, 10 * MINUTE)
      return { target, user, time: Math.min(later, user.until - 1, target.until - 1) }
    })
}

export function makeVisits(random: Random, contents: Content[]): Visit[] {
  return contents.flatMap((target) => {
    const from = target.published_at
    if (from === null) return []
    const length = Math.round(target.likes * VISITS_PER_LIKE) + random.integer(0, VISITS_EXTRA)
    return times(length, (i) => ({
      target,
      time: Math.floor(from + (target.until - from) * random.next() ** 3),
      browser: `${random.pick(BROWSERS)} (${i})`,
    }))
  })
}

export function makePlays(random: Random, contents: Content[], actor: () => User): Interaction[] {
  return contents
    .filter(({ isPlayable }) => isPlayable)
    .flatMap((target) => {
      const wanted = Math.min(PLAYS_MAX, target.likes * PLAYS_PER_LIKE + random.integer(3, 40))
      return times(wanted, actor).flatMap((user) => {
        const time = momentOf(random, user, target.published_at ?? 0, target.until)
        return time === undefined ? [] : [{ target, user, time }]
      })
    })
}

export function makeFollows(random: Random, now: number, users: User[], actor: () => User) {
  return users.flatMap((user) => {
    const wanted = Math.round(1 + user.fame * FOLLOWS_PER_FAME)
    const count = Math.min(wanted, Math.floor(users.length / 2))
    const until = user.suspension === null ? now : user.until
    const interactions = makeInteractions(random, user, actor, {
      count,
      from: user.created_at,
      until,
    })
    return interactions.filter((follow) => follow.user !== user)
  })
}
