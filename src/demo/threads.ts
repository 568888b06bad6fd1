import type { Random } from './random.ts'
import { DAY, momentOf } from './times.ts'
import type { Branch, User } from './world.ts'

/** Parent and time of a reply. */
interface Place<B extends Branch> {
  parent: B | undefined
  at: number
}

/**
 * Returns a place in a thread for a user's contribution, undefined when the user is not active in the span.
 */
export function findPlace<B extends Branch>(
  random: Random,
  author: User,
  thread: readonly B[],
  span: { from: number; until: number; replies: number },
): Place<B> | undefined {
  const parent = thread.length > 0 && random.chance(span.replies) ? random.pick(thread) : undefined
  const at = momentOf(random, author, parent?.at ?? span.from, span.until)
  return at === undefined ? undefined : { parent, at }
}

/** Creates a contribution without replies. */
export function newBranch<B extends Branch>(author: User, body: string, { parent, at }: Place<B>) {
  return { id: '', at, author, body, parent, deleted_at: null }
}

/** Deletes a few contributions after their last reply. Returns the thread in order of time. */
export function settle<B extends Branch>(random: Random, thread: readonly B[]): B[] {
  const ordered = thread.toSorted((a, b) => a.at - b.at)
  const lastReply = new Map<B, number>()
  for (const { parent, at } of ordered) if (parent) lastReply.set(parent, at)
  for (const branch of ordered) {
    if (!random.chance(0.025)) continue
    const from = (lastReply.get(branch) ?? branch.at) + 1000
    const until = Math.min(branch.author.until, from + DAY)
    if (from < until) branch.deleted_at = random.integer(from, until - 1)
  }
  return ordered
}
