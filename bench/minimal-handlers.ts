/**
 * Logic of the hand-written handlers for SQLite and PostgreSQL. The handlers yield statements, which
 * minimal-sqlite.ts or minimal-postgres.ts executes.
 */
import { newId } from '../src/db/ids.ts'
import {
  page,
  toCommentList,
  toConversation,
  toCreator,
  toDetail,
  toFeed,
  toMessages,
  toNewComment,
  toNewContent,
  toNewMessage,
  toNotification,
  toPost,
  toRecommendations,
} from './minimal-records.ts'
import type {
  CommentRow,
  ConversationRow,
  CreatorRow,
  LockedContent,
  MessageRow,
  NoticeRow,
  User,
  PostRow,
  Request,
  ContentRow,
} from './minimal-rows.ts'
import type { SqlName } from './minimal-sql.ts'

export type Value = string | number | null

export interface Ask {
  name: SqlName
  values: Value[]
  gives: 'row' | 'rows' | 'isChanged'
  /** Table whose row is locked until commit on PostgreSQL. */
  lock?: string
}

export type Content = Generator<Ask, unknown, unknown>
type Asking<T> = Generator<Ask, T, unknown>

/** Returns the first row of a statement. */
function* row<T>(name: SqlName, ...values: Value[]): Asking<T> {
  return (yield { name, values, gives: 'row' }) as T
}

function* rows<T>(name: SqlName, ...values: Value[]): Asking<T[]> {
  return (yield { name, values, gives: 'rows' }) as T[]
}

/** Returns true when the statement changed a row. */
function* run(name: SqlName, ...values: Value[]): Asking<boolean> {
  return (yield { name, values, gives: 'isChanged' }) as boolean
}

function* locked<T>(name: SqlName, lock: string, ...values: Value[]): Asking<T> {
  return (yield { name, values, gives: 'row', lock }) as T
}

const idOf = ({ viewer }: Request) => (viewer as User).id

function* total(name: SqlName, ...values: Value[]): Asking<number> {
  return (yield* row<{ total: number }>(name, ...values)).total
}

interface Notice {
  to: string
  type: string
  kind: string
  subject: string
  params: Record<string, string>
  link: string
}

function* tell(request: Request, notice: Notice): Asking<void> {
  const { to, type, kind, subject, params, link } = notice
  const [actor, id] = [idOf(request), newId('ntf', request.now)]
  if (to === actor) return
  const json = JSON.stringify(params)
  yield* run('notice', id, to, type, kind, actor, subject, json, link, request.now)
}

function* untell(request: Request, { to, type, subject }: Notice): Asking<void> {
  yield* run('withdraw', to, type, idOf(request), subject)
}

export const reads = {
  *unread(request: Request): Content {
    const { unread } = yield* row<{ unread: number }>('unread', idOf(request))
    return { unread_count: unread }
  },

  *notifications(request: Request): Content {
    type Counts = { total: number; unread: number; read_up_to: string }
    const counts = yield* row<Counts>('notificationCounts', idOf(request))
    const found = yield* rows<NoticeRow>('notifications', idOf(request), 20)
    return {
      notifications: found.map((one) => toNotification(one, counts.read_up_to)),
      unread_count: counts.unread,
      pagination: page(counts.total),
    }
  },

  *comments({ id }: Request): Content {
    return toCommentList(
      yield* rows<CommentRow>('comments', id, 20),
      yield* total('commentTotal', id),
    )
  },

  *likes(request: Request): Content {
    const id = idOf(request)
    return toFeed(yield* rows<ContentRow>('liked', 20, id), yield* total('likedTotal', id))
  },

  *feeds(request: Request): Content {
    const id = idOf(request)
    return request.sort === 'following'
      ? toFeed(yield* rows<ContentRow>('following', 20, id), yield* total('followingTotal', id))
      : toFeed(yield* rows<ContentRow>('home', 20, id), yield* total('homeTotal'))
  },

  *games(request: Request): Content {
    const found = toFeed(
      yield* rows<ContentRow>('games', 20, idOf(request)),
      yield* total('gamesTotal'),
    )
    return { games: found.feeds, pagination: found.pagination }
  },

  *detail(request: Request): Content {
    const content = yield* row<ContentRow>('detail', request.id, idOf(request))
    const text =
      content.type === 'article' ? yield* row<{ body: string }>('text', content.id) : undefined
    return toDetail(content, text?.body ?? null)
  },

  *recommendations({ id }: Request): Content {
    if (!(yield* row('visible', id))) throw new Error('no such content')
    const related = yield* rows<{ content_id: string }>('related', id)
    const popular = yield* rows<{ content_id: string }>('popular')
    const ids = new Set([...related, ...popular].map(({ content_id }) => content_id))
    ids.delete(id)
    const shown = [...ids].slice(0, 8)
    const contents = yield* rows<ContentRow>('named', JSON.stringify(shown), '')
    return toRecommendations(contents, shown, ids.size > 8)
  },

  *creator(request: Request): Content {
    return toCreator(yield* row<CreatorRow>('creator', request.id.toLowerCase(), idOf(request)))
  },

  *posts(request: Request): Content {
    const found = yield* rows<PostRow>('posts', 21, idOf(request))
    const shown = found.slice(0, 20)
    return {
      posts: shown.map(toPost),
      next_cursor: found.length > 20 ? shown.at(-1)?.id : null,
      prev_cursor: shown[0]?.id ?? null,
    }
  },

  *conversations(request: Request): Content {
    const found = yield* rows<ConversationRow>('conversations', idOf(request), 21)
    const shown = found.slice(0, 20)
    return {
      conversations: shown.map(toConversation),
      next_cursor: found.length > 20 ? shown.at(-1)?.id : null,
    }
  },

  *messages(request: Request): Content {
    const { id } = request
    type Marks = { peer_id: string; read_up_to: string; peer_read_up_to: string }
    const marks = yield* row<Marks>('marks', id, idOf(request))
    return toMessages(yield* rows<MessageRow>('messages', id, 51), marks)
  },
} satisfies Record<string, (request: Request) => Content>

/** Handlers of write requests. Each handler runs in a transaction. */
export const writes = {
  *like(request: Request): Content {
    const { id, now } = request
    const me = idOf(request)
    const content = yield* locked<LockedContent>('work', 's', id)
    const notice = {
      to: content.creator_id,
      type: 'like',
      kind: 'like.content',
      subject: id,
      params: { title: content.title },
      link: `/contents/${id}`,
    }
    const is_liked = yield* run('like', id, me, now)
    if (!is_liked) yield* run('unlike', id, me)
    yield* is_liked ? tell(request, notice) : untell(request, notice)
    return { is_liked, like_count: content.like_count + (is_liked ? 1 : -1) }
  },

  *bookmark(request: Request): Content {
    const { id, now } = request
    const me = idOf(request)
    const content = yield* locked<LockedContent>('work', 's', id)
    const is_bookmarked = yield* run('bookmark', id, me, now)
    if (!is_bookmarked) yield* run('unbookmark', id, me)
    return { is_bookmarked, bookmark_count: content.bookmark_count + (is_bookmarked ? 1 : -1) }
  },

  *follow(request: Request): Content {
    const { id: handle, now } = request
    const me = request.viewer as User
    const creator = yield* row<{ id: string }>('followed', handle.toLowerCase())
    for (const id of [creator.id, me.id].sort()) yield* locked('counts', 'user_counts', id)
    const notice = {
      to: creator.id,
      type: 'follow',
      kind: 'follow',
      subject: creator.id,
      params: {},
      link: `/creators/${me.handle}`,
    }
    const is_following = yield* run('follow', creator.id, me.id, now)
    if (!is_following) yield* run('unfollow', creator.id, me.id)
    yield* is_following ? tell(request, notice) : untell(request, notice)
    return { is_following, follower_count: yield* total('followers', creator.id) }
  },

  *comment(request: Request): Content {
    const { id, body, now } = request
    const me = request.viewer as User
    const { creator_id, title } = yield* locked<LockedContent>('work', 's', id)
    const made = newId('cmt', now)
    yield* run('comment', made, id, me.id, body, now)
    yield* tell(request, {
      to: creator_id,
      type: 'comment',
      kind: 'comment.content',
      subject: made,
      params: { title },
      link: `/contents/${id}#${made}`,
    })
    return toNewComment(made, me, request)
  },

  *message(request: Request): Content {
    const { id, body, now } = request
    const me = request.viewer as User
    const peer = yield* locked<{ is_suspended: number } | undefined>('peer', 'm', id, me.id)
    if (peer?.is_suspended !== 0) throw new Error('no such conversation')
    const made = newId('msg', now)
    yield* run('message', made, id, me.id, body, now)
    yield* run('addMessage', id, made, now)
    yield* run('addToMembers', id, me.id, now)
    return toNewMessage(made, me, request)
  },

  *post(request: Request): Content {
    const { body, now } = request
    const me = request.viewer as User
    yield* locked('timeline', 'post_timeline')
    const id = newId('pst', now)
    yield* run('post', id, me.id, body, now)
    yield* run('setTimeline', id)
    const made = { ...me, id, author_id: me.id, body, parent_id: null, root_id: null }
    const counts = { reply_count: 0, like_count: 0, is_deleted: 0, liked_by: null }
    return { post: toPost({ ...made, ...counts, created_at: now }) }
  },

  *content(request: Request): Content {
    const { work: content, now } = request
    const { category, type, title, description } = content
    const me = request.viewer as User
    const id = newId('cnt', now)
    const tags = JSON.stringify(content.tags)
    yield* run('content', id, me.id, category, type, title, description, tags, now)
    yield* run('contentStats', id, me.id, category, now)
    yield* run('addContent', me.id, category)
    for (const tag of content.tags) yield* run('contentTag', tag, id, category, now)
    for (const tag of content.tags.toSorted()) yield* run('addToTag', tag, category)
    yield* run('addToCategory', category)
    return toNewContent(id, me, request)
  },
} satisfies Record<string, (request: Request) => Content>
