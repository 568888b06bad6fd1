/** Makes the latest activity around the first user varied, because likes would outnumber everything else. */
import { phrase, WORDS } from './phrase.ts'
import type { Random } from './random.ts'
import { newBranch } from './threads.ts'
import { HOUR, MINUTE } from './times.ts'
import type { Comment, Follow, Mark, User, Post, Content } from './world.ts'

type Kind = 'like' | 'comment' | 'reply' | 'follow' | 'mention' | 'answer'

/** Actions towards the first user, each this many minutes before the end. */
const PLAN: readonly (readonly [number, Kind])[] = [
  [7, 'comment'],
  [12, 'like'],
  [19, 'follow'],
  [31, 'mention'],
  [58, 'reply'],
  [83, 'follow'],
  [121, 'comment'],
  [164, 'answer'],
]
/** The acting users are picked from this many of the last visitors. */
const LATE = 16

/** Everything generated so far. */
interface Told {
  users: User[]
  contents: Content[]
  comments: Comment[]
  posts: Post[]
  follows: Follow[]
  likes: Mark[]
}

/** Adds late comments, posts and follows, and moves existing likes to the end. */
export function addLatest(random: Random, told: Told): void {
  const { users, contents, comments, posts, follows, likes } = told
  const [first] = users as [User]
  const late = findLate(users, first, first.until - 3 * HOUR)
  if (late.length === 0) return
  const next = lateFollows(late, first, follows)
  const shown = contents.filter((content) => content.creator === first && isShown(content))
  const liked = likes.filter(({ content, user }) => shown.includes(content) && late.includes(user))
  const said = comments.filter((one) => isStill(one, first) && isShown(one.content))
  const posted = posts.filter((one) => isStill(one, first))

  for (const [minutes, kind] of PLAN) {
    const follow = kind === 'follow' ? next.pop() : undefined
    const like = kind === 'like' ? liked.pop() : undefined
    const user = follow?.follower ?? like?.user ?? random.pick(late)
    const at = first.until - minutes * MINUTE
    // Extends the visits of users who would have left earlier.
    user.until = Math.max(user.until, at + MINUTE)
    if (follow) {
      follow.at = at
      if (!follows.includes(follow)) follows.push(follow)
    } else if (kind === 'like') {
      // Moves an earlier like, since a user can like content only once.
      if (like) like.at = at
    } else if (kind === 'comment' || kind === 'reply') {
      const exists = (one: Comment) => one.at < at && one.content.until > at
      const parent = kind === 'reply' ? said.findLast(exists) : undefined
      const content = parent?.content ?? newestOf(shown, at)
      const body = say(random, user, parent ? 'answers' : 'comments')
      const branch = newBranch<Comment>(user, body, { parent, at })
      if (content) comments.push({ ...branch, content, edit: undefined })
    } else {
      const parent = kind === 'answer' ? posted.findLast((one) => one.at < at) : undefined
      const body = say(random, user, parent ? 'postReplies' : 'posts')
      const named = parent ? body : `@${first.handle} ${body}`
      posts.push(newBranch<Post>(user, named, { parent, at }))
    }
  }
}

/**
 * Returns a follow for each late user: their existing one, if any, or a new one. Existing ones come first.
 */
function lateFollows(late: User[], creator: User, follows: Follow[]): Follow[] {
  const own = new Map(
    follows.filter((one) => one.creator === creator).map((one) => [one.follower, one]),
  )
  return late
    .map((follower) => own.get(follower) ?? { creator, follower, at: 0 })
    .sort((a, b) => b.at - a.at)
}

/** Returns the last visitors who had an account before the given time. */
function findLate(users: User[], first: User, before: number): User[] {
  return users
    .filter((one) => one !== first && !one.isAdmin && one.suspension === null && one.at < before)
    .toSorted((a, b) => b.until - a.until)
    .slice(0, LATE)
}

function isShown({ published_at, archived_at }: Content): boolean {
  return published_at !== null && archived_at === null
}

function isStill({ author, deleted_at }: Comment | Post, target: User): boolean {
  return author === target && deleted_at === null
}

function newestOf(contents: Content[], at: number): Content | undefined {
  const timeOf = ({ published_at }: Content) => published_at ?? at
  return contents.filter((content) => timeOf(content) < at).sort((a, b) => timeOf(b) - timeOf(a))[0]
}

function say(
  random: Random,
  { tongue }: User,
  target: 'comments' | 'answers' | 'posts' | 'postReplies',
): string {
  return phrase(random, tongue, WORDS[tongue][target])
}
