/** What the hand-written handlers of both engines share: the shapes of rows and records. */

export interface Person {
  id: string
  handle: string
  display_name: string
  avatar_url: string | null
}

export interface CommentRow extends Omit<Person, 'id'> {
  id: string
  content_id: string
  parent_id: string | null
  root_id: string | null
  author_id: string
  body: string
  is_deleted: number
  reply_count: number
  created_at: number
  updated_at: number
}

export interface WorkRow extends Omit<Person, 'id'> {
  id: string
  category: string
  type: string
  title: string
  description: string | null
  tags: string
  status: string
  thumbnail_url: string | null
  game: string | null
  published_at: number
  created_at: number
  updated_at: number
  like_count: number
  bookmark_count: number
  comment_count: number
  view_count: number
  play_count: number
  creator_id: string
  is_liked: number | boolean
  is_bookmarked: number | boolean
}

export interface LockedWork {
  creator_id: string
  like_count: number
  title: string
}

/** Somebody in whose name a program calls, and what it may. */
export interface KeyHolder extends Person {
  scopes: string
  app_scopes: string
}

export interface NewWork {
  category: string
  type: string
  title: string
  description: string
  tags: string[]
}

/** A request of one of the measured routes, once its caller is known. */
export interface Request {
  viewer: Person | null
  /** The id in the path. */
  id: string
  sort: string | undefined
  body: string
  /** The body as a work. */
  work: NewWork
  now: number
}

const iso = (time: number) => new Date(time).toISOString()

const page = (total: number) => ({
  page: 1,
  per_page: 20,
  total,
  total_pages: Math.ceil(total / 20),
  has_next: total > 20,
  has_prev: false,
})

export function toFeed(rows: WorkRow[], total: number) {
  return { feeds: rows.map(toWork), pagination: page(total) }
}

function toWork(row: WorkRow) {
  return {
    id: row.id,
    category: row.category,
    type: row.type,
    title: row.title,
    description: row.description,
    tags: JSON.parse(row.tags),
    status: row.status,
    creator: {
      id: row.creator_id,
      handle: row.handle,
      display_name: row.display_name,
      avatar_url: row.avatar_url,
    },
    media: [],
    thumbnail_url: row.thumbnail_url,
    game: row.game && JSON.parse(row.game),
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

export function toCommentList(rows: CommentRow[], total: number) {
  return { comments: rows.map(toComment), pagination: page(total) }
}

export function toComment(row: CommentRow) {
  return {
    id: row.id,
    content_id: row.content_id,
    parent_id: row.parent_id,
    root_id: row.root_id,
    author: row.is_deleted
      ? null
      : {
          id: row.author_id,
          handle: row.handle,
          display_name: row.display_name,
          avatar_url: row.avatar_url,
        },
    body: row.body,
    is_deleted: row.is_deleted === 1,
    reply_count: row.reply_count,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

/** A work that was just published. */
export function toNewContent(id: string, { id: creator_id, ...creator }: Person, request: Request) {
  const { work, now } = request
  const content = toWork({
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

/** A comment that was just made. */
export function toNewComment(id: string, author: Person, { id: content_id, body, now }: Request) {
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

/** A message that was just sent. */
export function toNewMessage(
  id: string,
  sender: Person,
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
