import { phrase, WORDS } from './phrase.ts'
import { longTail, type Random, shuffled } from './random.ts'
import { DAY, MINUTE, momentOf, recentMoment } from './times.ts'
import type { Content, Remark, User } from './world.ts'

const THREADS_PER_USER = 1.5
const REPLIES_PER_THREAD = 1.5

export function makeComments(random: Random, contents: Content[], actor: () => User): Remark[] {
  return contents.flatMap((content) => {
    const thread: Remark[] = []
    for (let i = 0; i < content.comments; i++) {
      const author = thread.length > 0 && random.chance(0.15) ? content.creator : actor()
      const parent = random.chance(0.35) && thread.length > 0 ? random.pick(thread) : undefined
      const from = parent?.created_at ?? content.published_at ?? 0
      const time = momentOf(random, author, from, content.until)
      if (time === undefined) continue
      const comment = newRemark(random, author, time, { content, parent })
      if (random.chance(0.03)) comment.body = `@${actor().handle} ${comment.body}`
      const edited = time + random.integer(1000, 30 * MINUTE)
      if (random.chance(0.04) && edited < author.until) {
        comment.edit = { time: edited, body: `${comment.body} 👍` }
      }
      thread.push(comment)
    }
    return deleteSome(random, thread)
  })
}

export function makePosts(random: Random, now: number, users: User[], actor: () => User): Remark[] {
  const count = Math.round(users.length * THREADS_PER_USER)
  const replies = shuffled(random, longTail(count, count * REPLIES_PER_THREAD))
  return replies.flatMap((share) => {
    const author = actor()
    const time = recentMoment(random, author, now)
    if (time === undefined) return []
    const thread = [newRemark(random, author, time)]
    for (let i = 0; i < Math.round(share); i++) {
      const [replier, parent] = [actor(), random.pick(thread)]
      const later = momentOf(random, replier, parent.created_at, now)
      if (later !== undefined) thread.push(newRemark(random, replier, later, { parent }))
    }
    return deleteSome(random, thread)
  })
}

export function newRemark(
  random: Random,
  author: User,
  created_at: number,
  { content = null, parent }: { content?: Content | null; parent?: Remark | undefined } = {},
): Remark {
  const { comments, answers, posts, postReplies } = WORDS[author.tongue]
  const patterns = content ? (parent ? answers : comments) : parent ? postReplies : posts
  const body = phrase(random, author.tongue, patterns)
  return { id: '', created_at, author, body, content, parent, deleted_at: null }
}

/** Sets the deletion time of some remarks, each after its last reply and last edit. */
function deleteSome(random: Random, thread: Remark[]): Remark[] {
  for (const remark of thread) {
    if (!random.chance(0.025)) continue
    const replies = thread
      .filter(({ parent }) => parent === remark)
      .map(({ created_at }) => created_at)
    const from = Math.max(remark.created_at, remark.edit?.time ?? 0, ...replies) + 1000
    const until = Math.min(remark.author.until, from + DAY)
    if (from < until) remark.deleted_at = random.integer(from, until - 1)
  }
  return thread
}
