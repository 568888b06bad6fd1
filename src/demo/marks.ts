import { longTail, type Random, shuffled, weighted } from './random.ts'
import { MINUTE, momentOf } from './times.ts'
import type { Follow, Mark, Person, Play, Work } from './world.ts'

const FOLLOWS_PER_PERSON = 15
/** People who played a game once; some of them again. */
const PLAYS_PER_LIKE = 2
const PLAYS_MAX = 800

/** Likes and bookmarks, and the views that go with them. */
export function makeMarks(
  random: Random,
  works: Work[],
  actor: () => Person,
): { likes: Mark[]; bookmarks: Mark[] } {
  const likes: Mark[] = []
  const bookmarks: Mark[] = []
  for (const work of works) {
    if (work.published_at === null) continue
    for (const { person, at } of pickActors(random, work, actor)) {
      likes.push({ work, person, at })
      work.like_count++
      if (!random.chance(0.17)) continue
      const later = at + random.integer(1000, 10 * MINUTE)
      bookmarks.push({ work, person, at: Math.min(later, person.until, work.until) })
      work.bookmark_count++
    }
    work.view_count = work.like_count * random.integer(5, 14) + random.integer(0, 30)
  }
  return { likes, bookmarks }
}

/** Different people who come by while the work is there: as many as it draws, if so many do. */
function* pickActors(random: Random, work: Work, actor: () => Person) {
  const seen = new Set<Person>()
  for (let tries = work.likes * 3; tries > 0 && seen.size < work.likes; tries--) {
    const person = actor()
    if (seen.has(person)) continue
    const at = momentOf(random, person, work.published_at ?? 0, work.until)
    if (at === undefined) continue
    seen.add(person)
    yield { person, at }
  }
}

/** Plays of the games that can be played. */
export function makePlays(random: Random, works: Work[], actor: () => Person): Play[] {
  const plays: Play[] = []
  for (const game of works) {
    if (!game.isPlayable) continue
    const wanted = Math.min(PLAYS_MAX, game.like_count * PLAYS_PER_LIKE + random.integer(3, 40))
    for (let tries = wanted; tries > 0; tries--) {
      const person = actor()
      const at = momentOf(random, person, game.published_at ?? 0, game.until)
      if (at !== undefined) plays.push({ id: '', at, game, person })
    }
  }
  for (const { game } of plays) game.play_count++
  return plays
}

/** Who follows whom: the known are followed by many. */
export function makeFollows(random: Random, now: number, people: Person[]): Follow[] {
  const follows: Follow[] = []
  const known = weighted(random, people, ({ fame }) => fame + 0.02)
  const wishes = shuffled(random, longTail(people.length, people.length * FOLLOWS_PER_PERSON))
  for (const [i, follower] of people.entries()) {
    const wanted = Math.min(Math.round(wishes[i] ?? 0), Math.floor(people.length / 2))
    const seen = new Set([follower])
    for (let tries = wanted * 3; tries > 0 && seen.size <= wanted; tries--) {
      const creator = known()
      if (seen.has(creator)) continue
      const until = creator.suspension === null ? now : creator.until
      const at = momentOf(random, follower, creator.at, until)
      if (at === undefined) continue
      seen.add(creator)
      follows.push({ creator, follower, at })
      creator.counts.follower_count++
      if (follower.suspension !== null) creator.counts.suspended_follower_count++
      follower.counts.following_count++
    }
  }
  return follows
}
