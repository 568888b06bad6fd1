import { phrase, WORDS } from './phrase.ts'
import type { Random } from './random.ts'
import { findPlace, newBranch, settle } from './threads.ts'
import { MINUTE } from './times.ts'
import type { Comment, Person, Work } from './world.ts'

/** A comment with the person it mentions, if any. */
export interface Said {
  comment: Comment
  mentioned: Person | undefined
}

export function makeComments(random: Random, works: Work[], actor: () => Person): Said[] {
  return works.flatMap((work) => discuss(random, work, actor))
}

function discuss(random: Random, work: Work, actor: () => Person): Said[] {
  const thread: Comment[] = []
  const mentions = new Map<Comment, Person>()
  for (let i = 0; i < work.comments; i++) {
    // Creators answer more than others do.
    const author = thread.length > 0 && random.chance(0.15) ? work.creator : actor()
    const span = { from: work.published_at ?? 0, until: work.until, replies: 0.35 }
    const place = findPlace(random, author, thread, span)
    if (!place) continue
    const { comments, answers } = WORDS[author.tongue]
    const text = phrase(random, author.tongue, place.parent ? answers : comments)
    const mentioned = random.chance(0.03) ? actor() : undefined
    const body = mentioned ? `@${mentioned.handle} ${text}` : text
    const comment = { ...newBranch(author, body, place), work, updated_at: place.at }
    if (random.chance(0.04)) {
      comment.updated_at = Math.min(place.at + random.integer(1000, 30 * MINUTE), author.until)
    }
    thread.push(comment)
    if (mentioned) mentions.set(comment, mentioned)
  }
  const ordered = settle(random, thread)
  work.comment_count = ordered.filter(({ is_deleted }) => !is_deleted).length
  work.listed_comment_count = ordered.filter(({ is_listed }) => is_listed).length
  work.top_comment_count = ordered.filter((row) => row.is_listed && !row.parent).length
  work.last_comment = ordered.at(-1)
  return ordered.map((comment) => ({ comment, mentioned: mentions.get(comment) }))
}
