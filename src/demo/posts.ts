import { phrase, WORDS } from './phrase.ts'
import { longTail, type Random, shuffled } from './random.ts'
import { findPlace, newBranch, settle } from './threads.ts'
import { momentOf, recentMoment } from './times.ts'
import type { User, Post, PostLike } from './world.ts'

const THREADS_PER_PERSON = 1.5
const REPLIES_PER_THREAD = 1.5
const LIKES_PER_POST = 4

export function makePosts(
  random: Random,
  now: number,
  users: User[],
  actor: () => User,
): { posts: Post[]; postLikes: PostLike[] } {
  const count = Math.round(users.length * THREADS_PER_PERSON)
  const replies = shuffled(random, longTail(count, count * REPLIES_PER_THREAD))
  const posts = replies.flatMap((share) => makeThread(random, now, actor, Math.round(share)))
  const draws = shuffled(random, longTail(posts.length, posts.length * LIKES_PER_POST))
  const postLikes = posts.flatMap((post, i) =>
    likePost(random, now, post, actor, Math.min(draws[i] ?? 0, users.length / 2)),
  )
  return { posts, postLikes }
}

function makeThread(random: Random, now: number, actor: () => User, replies: number): Post[] {
  const author = actor()
  const wanted = recentMoment(random, now)
  const fits = wanted > author.at && wanted < author.until
  const at = fits ? wanted : momentOf(random, author, author.at, author.until)
  if (at === undefined) return []
  const thread = [newPost(random, author, { parent: undefined, at })]
  for (let i = 0; i < replies; i++) {
    const replier = actor()
    const place = findPlace(random, replier, thread, { from: at, until: now, replies: 1 })
    if (place) thread.push(newPost(random, replier, place))
  }
  return settle(random, thread)
}

function newPost(
  random: Random,
  author: User,
  place: { parent: Post | undefined; at: number },
): Post {
  const { posts, postReplies } = WORDS[author.tongue]
  return newBranch(author, phrase(random, author.tongue, place.parent ? postReplies : posts), place)
}

function likePost(
  random: Random,
  now: number,
  post: Post,
  actor: () => User,
  wanted: number,
): PostLike[] {
  const likes = new Map<User, PostLike>()
  for (let tries = 0; tries < wanted; tries++) {
    const user = actor()
    const at = momentOf(random, user, post.at, post.deleted_at ?? now)
    if (at !== undefined && !likes.has(user)) likes.set(user, { post, user, at })
  }
  return [...likes.values()]
}
