import type { Random } from './random.ts'
import { momentOf } from './times.ts'
import type { Branch, Person } from './world.ts'

/** Where a reply goes, and when. */
interface Place<B extends Branch> {
  parent: B | undefined
  at: number
}

/** A place in a thread for what a person says; undefined when the person came too early or late. */
export function findPlace<B extends Branch>(
  random: Random,
  author: Person,
  thread: readonly B[],
  span: { from: number; until: number; replies: number },
): Place<B> | undefined {
  const parent = thread.length > 0 && random.chance(span.replies) ? random.pick(thread) : undefined
  const at = momentOf(random, author, parent?.at ?? span.from, span.until)
  return at === undefined ? undefined : { parent, at }
}

/** A new leaf of a tree. */
export function newBranch<B extends Branch>(
  author: Person,
  body: string,
  { parent, at }: Place<B>,
) {
  return {
    id: '',
    at,
    author,
    body,
    parent,
    root: parent ? (parent.root ?? parent) : undefined,
    is_deleted: false,
    is_listed: true,
    reply_count: 0,
    listed_reply_count: 0,
  }
}

/** Deletes a few, counts replies, and sees who keeps a place; `thread` comes back in the order of time. */
export function settle<B extends Branch>(random: Random, thread: readonly B[]): B[] {
  const ordered = thread.toSorted((a, b) => a.at - b.at)
  for (const branch of ordered) {
    if (!random.chance(0.025)) continue
    branch.is_deleted = true
    branch.body = ''
  }
  // Replies come after what they reply to, so from the end each has all of its own.
  for (const branch of ordered.toReversed()) {
    branch.is_listed = !branch.is_deleted || branch.listed_reply_count > 0
    if (!branch.parent) continue
    if (!branch.is_deleted) branch.parent.reply_count++
    if (branch.is_listed) branch.parent.listed_reply_count++
  }
  return ordered
}
