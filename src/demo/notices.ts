/** What people are told, under the rules of the features: nobody of an own act, nobody twice of one. */
import type { Said } from './comments.ts'
import type { Random } from './random.ts'
import { HOUR } from './times.ts'
import type { Comment, Inbox, Notice, Person, Post, World } from './world.ts'

/** How many the first person has not read yet. */
const UNREAD_OF_THE_FIRST = 12

type Acts = Pick<World, 'likes' | 'follows' | 'posts' | 'postLikes'> & { said: Said[] }

/** In the order of time. */
export function makeNotices({ likes, follows, said, posts, postLikes }: Acts): Notice[] {
  const notices: Notice[] = []
  const add = (notice: Omit<Notice, 'id' | 'params' | 'is_read'> & Partial<Notice>) => {
    if (notice.to === notice.actor) return
    notices.push({ id: '', params: {}, is_read: false, ...notice })
  }
  for (const { work, person: actor, at } of likes) {
    const params = { title: work.title }
    const link = () => `/contents/${work.id}`
    add({
      to: work.creator,
      type: 'like',
      kind: 'like.content',
      actor,
      at,
      subject: work,
      params,
      link,
    })
  }
  for (const { creator, follower: actor, at } of follows) {
    const link = () => `/creators/${actor.handle}`
    add({ to: creator, type: 'follow', kind: 'follow', actor, at, subject: creator, link })
  }
  for (const { post, person: actor, at } of postLikes) {
    add({ to: post.author, type: 'like', kind: 'like.post', actor, at, ...about(post) })
  }
  for (const post of posts) {
    const { parent, author: actor, at } = post
    if (!parent) continue
    add({ to: parent.author, type: 'comment', kind: 'comment.post', actor, at, ...about(post) })
  }
  for (const { comment, mentioned } of said)
    for (const notice of ofComment(comment, mentioned)) add(notice)
  return notices.sort((a, b) => a.at - b.at)
}

function about(post: Post) {
  return { subject: post, link: () => `/posts/${post.id}` }
}

function* ofComment(comment: Comment, mentioned: Person | undefined) {
  const { author: actor, at, work, parent } = comment
  const link = () => `/contents/${work.id}#${comment.id}`
  const notice = { actor, at, subject: comment, params: { title: work.title }, link }
  if (parent) {
    yield { ...notice, to: parent.author, type: 'comment', kind: 'comment.reply' } as const
  }
  if (parent?.author !== work.creator) {
    yield { ...notice, to: work.creator, type: 'comment', kind: 'comment.content' } as const
  }
  if (mentioned && mentioned !== work.creator && mentioned !== parent?.author) {
    yield { ...notice, to: mentioned, type: 'mention', kind: 'mention.comment' } as const
  }
}

/** Who has read how far: to some hours before the last visit, and now and then one by itself. */
export function makeInboxes(
  random: Random,
  people: Person[],
  notices: Notice[],
): Map<Person, Inbox> {
  const byPerson = Map.groupBy(notices, ({ to }) => to)
  return new Map(
    people.map((person, i) => {
      const own = byPerson.get(person) ?? []
      const until = person.until - random.exponential(8 * HOUR)
      const read =
        i === 0 ? own.length - UNREAD_OF_THE_FIRST : own.filter(({ at }) => at <= until).length
      const tail = own.slice(Math.max(0, read))
      if (i > 0) for (const notice of tail) notice.is_read = random.chance(0.15)
      const inbox = {
        total: own.length,
        unread: tail.filter(({ is_read }) => !is_read).length,
        readUpTo: own[read - 1],
        last: own.at(-1),
      }
      return [person, inbox]
    }),
  )
}
