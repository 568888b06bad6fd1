/** Statements that insert many rows at once, given as one JSON list. */
import { sql } from 'kysely'
import { heatOf, hotScore } from '../contents/rank.ts'
import { type Row, type Statement, statement } from '../db/statement.ts'
import type { Tables } from '../db/tables.ts'

type Columns = Record<string, 'text' | 'integer'>

const columns = (texts: string, integers: string): Columns => ({
  ...Object.fromEntries(texts.split(' ').map((name) => [name, 'text' as const])),
  ...Object.fromEntries(integers.split(' ').map((name) => [name, 'integer' as const])),
})

/** In an order in which nothing refers to what is not there yet. */
const COLUMNS = {
  users: columns(
    'id handle email email_key password_hash display_name bio avatar_url role tier suspension_reason search_text',
    'is_suspended suspended_at last_seen_at created_at',
  ),
  uploads: columns('id owner_id file_sha256', 'created_at'),
  user_counts: columns(
    'user_id',
    'follower_count following_count content_count hype_count swipe_count jump_count suspended_follower_count',
  ),
  contents: columns(
    'id creator_id category type title description tags status media thumbnail_url thumbnail_upload_id game',
    'published_at created_at updated_at',
  ),
  content_media: columns('content_id upload_id file_sha256', 'position'),
  content_texts: { content_id: 'text', body: 'text' },
  content_stats: columns(
    'content_id creator_id category last_comment_id',
    'is_public published_at like_count bookmark_count comment_count listed_comment_count top_comment_count view_count play_count',
  ),
  content_tags: columns('tag content_id category', 'published_at'),
  likes: columns('content_id user_id', 'created_at'),
  bookmarks: columns('content_id user_id', 'created_at'),
  plays: columns('id game_id user_id', 'created_at'),
  follows: columns('creator_id follower_id', 'created_at'),
  comments: columns(
    'id content_id parent_id root_id author_id body',
    'is_deleted is_listed reply_count listed_reply_count created_at updated_at',
  ),
  posts: columns(
    'id author_id body parent_id root_id last_reply_id',
    'reply_count listed_reply_count like_count is_deleted is_listed created_at',
  ),
  post_likes: columns('post_id user_id', 'created_at'),
  conversations: columns('id user_low user_high last_message_id', 'created_at updated_at'),
  conversation_members: columns(
    'conversation_id user_id peer_id read_up_to',
    'is_listed unread_count updated_at',
  ),
  messages: columns('id conversation_id sender_id body client_message_id', 'created_at'),
  notifications: columns(
    'id user_id type kind actor_id subject_id params link',
    'is_read created_at',
  ),
  notification_counts: columns('user_id read_up_to last_notification_id', 'total unread'),
  audit_entries: columns(
    'id actor_id target_id action before after reason request_id',
    'created_at',
  ),
} satisfies { [T in keyof Tables]?: Columns }

export type Filled = keyof typeof COLUMNS

function insertInto(table: Filled): Statement<{ rows: Row[] }, unknown> {
  const names = Object.keys(COLUMNS[table])
  return statement((q, p: { rows: Row[] }, on) => {
    const listed = q.selectFrom(
      sql<Record<string, never>>`${on.rows(p.rows, COLUMNS[table])}`.as('listed'),
    )
    // The columns are those of the table, which no type here knows.
    const into = q.insertInto(table as 'content_stats').columns(names as never)
    if (table === 'content_tags') {
      const heat = sql`(select ${heatOf(sql.ref('hot_score'))} from content_stats as stats
        where stats.content_id = listed.content_id)`
      return q
        .insertInto('content_tags')
        .columns([...names, 'heat'] as never)
        .expression(listed.select(names as never).select(heat.as('heat')) as never)
    }
    if (table !== 'content_stats') return into.expression(listed.select(names as never) as never)
    const ranked = hotScore({
      published_at: sql.ref('published_at'),
      like_count: sql.ref('like_count'),
      bookmark_count: sql.ref('bookmark_count'),
      comment_count: sql.ref('comment_count'),
      play_count: sql.ref('play_count'),
    })
    return q
      .insertInto('content_stats')
      .columns([...names, 'hot_score'] as never)
      .expression(listed.select(names as never).select(ranked.as('hot_score')) as never)
  })
}

export const INSERTS = Object.fromEntries(
  Object.keys(COLUMNS).map((table) => [table, insertInto(table as Filled)]),
) as Record<Filled, Statement<{ rows: Row[] }, unknown>>
