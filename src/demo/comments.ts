import { phrase, WORDS } from './phrase.ts'
import type { Random } from './random.ts'
import { findPlace, newBranch, settle } from './threads.ts'
import { MINUTE } from './times.ts'
import type { Comment, User, Content } from './world.ts'

export function makeComments(random: Random, contents: Content[], actor: () => User): Comment[] {
  return contents.flatMap((content) => discuss(random, content, actor))
}

function discuss(random: Random, content: Content, actor: () => User): Comment[] {
  const thread: Comment[] = []
  for (let i = 0; i < content.comments; i++) {
    // Creators reply more often than others.
    const author = thread.length > 0 && random.chance(0.15) ? content.creator : actor()
    const span = { from: content.published_at ?? 0, until: content.until, replies: 0.35 }
    const place = findPlace(random, author, thread, span)
    if (!place) continue
    const { comments, answers } = WORDS[author.tongue]
    const say = () => phrase(random, author.tongue, place.parent ? answers : comments)
    const mentioned = random.chance(0.03) ? actor() : undefined
    const body = mentioned ? `@${mentioned.handle} ${say()}` : say()
    const comment: Comment = { ...newBranch(author, body, place), content, edit: undefined }
    if (random.chance(0.04)) {
      const at = place.at + random.integer(1000, 30 * MINUTE)
      if (at < author.until) comment.edit = { at, body: `${body} ${say()}` }
    }
    thread.push(comment)
  }
  const ordered = settle(random, thread)
  for (const comment of ordered) {
    // A deleted comment cannot be edited.
    if (comment.deleted_at !== null && (comment.edit?.at ?? 0) >= comment.deleted_at) {
      comment.edit = undefined
    }
  }
  return ordered
}
