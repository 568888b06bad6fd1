/** Builds the response records of the hand-written handlers. */
import type { MessageKey } from '../src/messages/en.ts'
import { message } from '../src/messages/language.ts'
import type {
  CommentRow,
  ConversationRow,
  CreatorRow,
  Marks,
  MessageRow,
  NoticeRow,
  User,
  PostRow,
  Request,
  ContentRow,
} from './minimal-rows.ts'

const iso = (time: number) => new Date(time).toISOString()

export const page = (total: number) => ({
  page: 1,
  per_page: 20,
  total,
  total_pages: Math.ceil(total / 20),
  has_next: total > 20,
  has_prev: false,
})

export function toFeed(rows: ContentRow[], total: number) {
  return { feeds: rows.map(toContent), pagination: page(total) }
}

const toUser = ({ handle, display_name, avatar_url }: Omit<User, 'id'>, id: string) => ({
  id,
  handle,
  display_name,
  avatar_url,
})

const toGame = ({ runtime, entry, orientation, controls }: Record<string, unknown>) => ({
  runtime,
  entry,
  orientation,
  controls,
})

function toContent(row: ContentRow) {
  return {
    id: row.id,
    category: row.category,
    type: row.type,
    title: row.title,
    description: row.description,
    tags: JSON.parse(row.tags),
    status: row.status,
    creator: toUser(row, row.creator_id),
    media: [],
    thumbnail_url: row.thumbnail_url,
    game: row.game && toGame(JSON.parse(row.game)),
    like_count: row.like_count,
    bookmark_count: row.bookmark_count,
    comment_count: row.comment_count,
    view_count: row.view_count,
    play_count: row.play_count,
    is_liked: Boolean(row.is_liked),
    is_bookmarked: Boolean(row.is_bookmarked),
    published_at: iso(row.published_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

export function toDetail(row: ContentRow, body: string | null) {
  return { content: { ...toContent(row), body } }
}

/** Returns the contents in the order of the ids. */
export function toRecommendations(rows: ContentRow[], ids: string[], has_more: boolean) {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { feeds: ids.map((id) => toContent(byId.get(id) as ContentRow)), has_more }
}

export function toNotification(row: NoticeRow, readUpTo: string) {
  const params = { ...JSON.parse(row.params), actor: row.display_name }
  return {
    id: row.id,
    type: row.type,
    actor: row.actor_id === null ? null : toUser(row, row.actor_id),
    message: message('ko', `notification.${row.kind}` as MessageKey, params),
    link: row.link,
    is_read: row.is_read === 1 || row.id <= readUpTo,
    created_at: iso(row.created_at),
  }
}

export function toCreator(row: CreatorRow) {
  return {
    creator: {
      ...toUser(row, row.id),
      bio: row.bio,
      is_following: row.followed_at !== null,
      follower_count: row.follower_count,
      following_count: row.following_count,
      content_count: row.content_count,
      created_at: iso(row.created_at),
    },
  }
}

export function toPost(row: PostRow) {
  return {
    id: row.id,
    author: row.is_deleted ? null : toUser(row, row.author_id),
    body: row.body,
    parent_id: row.parent_id,
    root_id: row.root_id,
    reply_count: row.reply_count,
    like_count: row.like_count,
    is_liked: row.liked_by !== null,
    is_deleted: row.is_deleted === 1,
    created_at: iso(row.created_at),
  }
}

function toMessage(row: MessageRow, { peer_id, read_up_to, peer_read_up_to }: Marks) {
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    sender_id: row.sender_id,
    body: row.body,
    is_read: row.id <= (row.sender_id === peer_id ? read_up_to : peer_read_up_to),
    client_message_id: row.client_message_id,
    created_at: iso(row.created_at),
  }
}

/** Builds a page of 50 messages from rows sorted newest first. */
export function toMessages(rows: MessageRow[], marks: Marks) {
  const shown = rows.slice(0, 50)
  return {
    messages: shown.toReversed().map((row) => toMessage(row, marks)),
    next_cursor: rows.length > 50 ? shown.at(-1)?.id : null,
  }
}

export function toConversation(row: ConversationRow) {
  const { message_id, id: conversation_id, sent_at: created_at } = row
  const last = message_id && { ...row, id: message_id, conversation_id, created_at }
  return {
    id: row.id,
    peer: toUser(row, row.peer_id),
    last_message: last ? toMessage(last, row) : null,
    unread_count: row.unread_count,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

export function toCommentList(rows: CommentRow[], total: number) {
  return { comments: rows.map(toComment), pagination: page(total) }
}

export function toComment(row: CommentRow) {
  return {
    id: row.id,
    content_id: row.content_id,
    parent_id: row.parent_id,
    root_id: row.root_id,
    author: row.is_deleted ? null : toUser(row, row.author_id),
    body: row.body,
    is_deleted: row.is_deleted === 1,
    reply_count: row.reply_count,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

export function toNewContent(id: string, { id: creator_id, ...creator }: User, request: Request) {
  const { work, now } = request
  const content = toContent({
    ...creator,
    ...work,
    id,
    creator_id,
    tags: JSON.stringify(work.tags),
    status: 'published',
    thumbnail_url: null,
    game: null,
    published_at: now,
    created_at: now,
    updated_at: now,
    like_count: 0,
    bookmark_count: 0,
    comment_count: 0,
    view_count: 0,
    play_count: 0,
    is_liked: false,
    is_bookmarked: false,
  })
  return { content: { ...content, body: null } }
}

export function toNewComment(id: string, author: User, { id: content_id, body, now }: Request) {
  return {
    comment: toComment({
      ...author,
      id,
      content_id,
      parent_id: null,
      root_id: null,
      author_id: author.id,
      body,
      is_deleted: 0,
      reply_count: 0,
      created_at: now,
      updated_at: now,
    }),
  }
}

export function toNewMessage(
  id: string,
  sender: User,
  { id: conversation_id, body, now }: Request,
) {
  return {
    message: {
      id,
      conversation_id,
      sender_id: sender.id,
      body,
      is_read: false,
      client_message_id: null,
      created_at: iso(now),
    },
  }
}
