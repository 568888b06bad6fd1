/**
 * Adds varied late activity for the first user, because the latest notifications would otherwise be almost
 * only likes.
 */
import { isShown } from './contents.ts'
import type { Random } from './random.ts'
import { newRemark } from './remarks.ts'
import { HOUR, MINUTE } from './times.ts'
import type { Entity, Interaction, Remark, User, World } from './world.ts'

/** Actions that notify the first user, with the minutes before the end of the demo. */
const PLAN = [
  [7, 'comment'],
  [12, 'like'],
  [19, 'follow'],
  [31, 'mention'],
  [58, 'reply'],
  [83, 'follow'],
  [121, 'comment'],
  [164, 'answer'],
] as const

type Activity = Pick<World, 'users' | 'contents' | 'comments' | 'posts' | 'follows' | 'likes'>

/** Adds recent comments, posts, likes and follows. Gives a recent time to likes and follows that already exist. */
export function addLatest(random: Random, activity: Activity): void {
  const { users, contents, comments, posts, follows, likes } = activity
  const [first] = users as [User]
  const late = findLate(users, first)
  const start = first.until - 3 * HOUR
  const [newest] = contents
    .filter((content) => content.creator === first && isShown(content))
    .filter(({ published_at }) => (published_at ?? 0) < start)
    .toSorted((a, b) => (b.published_at ?? 0) - (a.published_at ?? 0))
  if (late.length === 0 || !newest) return
  const byFirst = ({ author, created_at, deleted_at }: Remark) =>
    author === first && created_at < start && deleted_at === null
  const comment = comments.findLast(
    (remark) => byFirst(remark) && remark.content && isShown(remark.content),
  )
  const post = posts.findLast(byFirst)
  for (const [i, [minutes, kind]] of PLAN.entries()) {
    const user = late[i % late.length] as User
    const time = first.until - minutes * MINUTE
    // Extends the visits of users who would have left earlier.
    user.until = Math.max(user.until, time + MINUTE)
    if (kind === 'like') {
      addOrMove(likes, { target: newest, user, time })
    } else if (kind === 'follow') {
      addOrMove(follows, { target: first, user, time })
    } else if (kind === 'mention' || kind === 'answer') {
      const remark = newRemark(random, user, time, { parent: kind === 'answer' ? post : undefined })
      if (!remark.parent) remark.body = `@${first.handle} ${remark.body}`
      posts.push(remark)
    } else {
      const parent = kind === 'reply' ? comment : undefined
      comments.push(newRemark(random, user, time, { content: parent?.content ?? newest, parent }))
    }
  }
}

/**
 * Adds a like or follow. If the user already has one on the target, changes its time instead, because users like
 * and follow only once.
 */
function addOrMove<T extends Entity>(
  interactions: Interaction<T>[],
  interaction: Interaction<T>,
): void {
  const earlier = interactions.find(
    ({ target, user }) => target === interaction.target && user === interaction.user,
  )
  if (earlier) earlier.time = interaction.time
  else interactions.push(interaction)
}

/**
 * Returns up to PLAN.length users, latest visit first. Leaves out `first`, admins, suspended users and users who
 * registered in the last three hours of the demo.
 */
function findLate(users: User[], first: User): User[] {
  return users
    .filter(({ isAdmin, suspension }) => !isAdmin && suspension === null)
    .filter((user) => user !== first && user.created_at < first.until - 3 * HOUR)
    .toSorted((a, b) => b.until - a.until)
    .slice(0, PLAN.length)
}
