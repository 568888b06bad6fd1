import { scoreBucketOf, hotScore } from '../contents/rank.ts'
import { type Engine, statement } from '../db/statement.ts'
import { type Check, counted, last, paired } from './check.ts'
import { ofModeration } from './moderation-checks.ts'
import { ERASED_OWNER } from '../users/tombstones.ts'
import { ofStats } from './stats-checks.ts'
import { ofUsers } from './user-checks.ts'

export function listChecks(engine: Engine): Check[] {
  return [
    ...ofContents(engine),
    ...ofMedia(engine),
    ...ofUsers,
    ...ofTree('comments', 'content_id'),
    ...ofTree('posts', undefined),
    ...ofPosts,
    ...ofNotifications,
    ...ofConversations,
    ...ofWebhooks,
    ...ofModeration,
    ...ofStats,
    counted('like_count', 'comments', 'id', 'select comment_id as owner from comment_likes'),
    counted('use_count', 'invites', 'id', 'select invite_id as owner from invite_uses'),
  ]
}

const scores = statement((q) =>
  q.selectFrom('content_stats').select((e) => [
    'content_id as id',
    'hot_score',
    hotScore({
      published_at: e.ref('published_at'),
      like_count: e.ref('like_count'),
      bookmark_count: e.ref('bookmark_count'),
      comment_count: e.ref('comment_count'),
      play_count: e.ref('play_count'),
    }).as('expected'),
  ]),
)

const buckets = statement((q) =>
  q
    .selectFrom('content_tags as tagged')
    .innerJoin('content_stats as stats', 'stats.content_id', 'tagged.content_id')
    .select((e) => [
      'tagged.content_id as id',
      'tagged.score_bucket',
      scoreBucketOf(e.ref('stats.hot_score')).as('expected'),
    ]),
)

function ofContents(engine: Engine): Check[] {
  const stats = (column: string, rows: string) =>
    counted(column, 'content_stats', 'content_id', rows)
  const comments = 'select content_id as owner from comments'
  const tagCount =
    engine === 'postgres'
      ? 'jsonb_array_length(content.tags::jsonb)'
      : 'json_array_length(content.tags)'
  return [
    paired('content_stats', 'content_id', 'contents'),
    stats('like_count', 'select content_id as owner from likes'),
    stats('bookmark_count', 'select content_id as owner from bookmarks'),
    stats('play_count', 'select game_id as owner from plays'),
    stats('comment_count', `${comments} where is_deleted = 0`),
    stats('listed_comment_count', `${comments} where is_listed = 1`),
    stats('hidden_comment_count', `${comments} where hidden_by = 'creator'`),
    {
      name: 'content_stats.is_pin_hidden: whether the pinned comment is deleted',
      sql: `select stats.content_id as id from content_stats as stats
        left join comments as pinned on pinned.id = stats.pinned_comment_id
        where stats.is_pin_hidden <> case when stats.pinned_comment_id is null then 0
            else coalesce(pinned.is_deleted, 1) end
          or pinned.content_id <> stats.content_id or pinned.parent_id is not null`,
    },
    stats('top_comment_count', `${comments} where is_listed = 1 and parent_id is null`),
    last(
      'last_comment_id',
      'content_stats',
      'content_id',
      'select content_id as owner, id from comments',
    ),
    {
      name: 'content_stats.view_count: at least the stored views',
      sql: `select stats.content_id as id from content_stats as stats
        join (select content_id, count(*) as n from content_views group by content_id) as kept
          on kept.content_id = stats.content_id
        where stats.view_count < kept.n`,
    },
    {
      name: 'content_stats.hot_score',
      // After a restore the scores may come from the other engine, whose logarithms can differ in the last digit.
      sql: `select id from (${scores.compiled(engine).sql}) as scored
        where abs(hot_score - expected) > 0.000001`,
    },
    {
      name: 'content_stats.is_public',
      sql: `select content.id from contents as content
        join users as creator on creator.id = content.creator_id
        join content_stats as stats on stats.content_id = content.id
        where stats.is_public <>
          case when content.status = 'published' and content.visibility = 'public'
            and content.moderation is null and creator.is_suspended = 0 then 1 else 0 end`,
    },
    {
      name: 'content_stats.shared_with',
      sql: `select content.id from contents as content
        join users as creator on creator.id = content.creator_id
        join content_stats as stats on stats.content_id = content.id
        where stats.shared_with is distinct from
          case when content.status = 'published' and content.visibility <> 'public'
            and content.moderation is null and creator.is_suspended = 0
            then case content.visibility when 'unlisted' then 'anyone' else content.visibility end end`,
    },
    {
      name: 'content_stats: creator, category, type and publication time of the content',
      sql: `select content.id from contents as content
        join content_stats as stats on stats.content_id = content.id
        where stats.creator_id <> content.creator_id or stats.category <> content.category or stats.type <> content.type
          or stats.published_at is distinct from content.published_at`,
    },
    {
      name: 'content_tags: the tags of public contents',
      sql: `select content.id from contents as content
        join content_stats as stats on stats.content_id = content.id
        left join (
          select content_id, count(*) as n, min(published_at) as earliest, max(published_at) as latest
          from content_tags group by content_id
        ) as listed on listed.content_id = content.id
        where coalesce(listed.n, 0) <> stats.is_public * ${tagCount}
          or listed.earliest <> content.published_at or listed.latest <> content.published_at`,
    },
    {
      name: 'content_tags.category',
      sql: `select tagged.content_id as id from content_tags as tagged
        join content_stats as stats on stats.content_id = tagged.content_id
        where tagged.category <> stats.category`,
    },
    {
      name: 'content_tags.score_bucket',
      sql: `select id from (${buckets.compiled(engine).sql}) as found where score_bucket <> expected`,
    },
    {
      name: 'tag_totals.total',
      sql: `select coalesce(stored.tag, counted.tag) as id from tag_totals as stored
        full join (select tag, category, count(*) as n from content_tags group by tag, category)
          as counted on counted.tag = stored.tag and counted.category = stored.category
        where coalesce(stored.total, 0) <> coalesce(counted.n, 0)`,
    },
    {
      name: 'tags.content_count',
      sql: `select coalesce(stored.tag, counted.tag) as id from tags as stored
        full join (select tag, sum(total) as n from tag_totals group by tag) as counted
          on counted.tag = stored.tag
        where coalesce(stored.content_count, 0) <> coalesce(counted.n, 0)`,
    },
    counted(
      'total',
      'shown_tags',
      'id',
      'select 1 as owner from tags where content_count > 0 and is_hidden = 0',
    ),
    counted(
      'total',
      'category_totals',
      'category',
      'select category as owner from content_stats where is_public = 1',
    ),
  ]
}

function ofMedia(engine: Engine): Check[] {
  const isPostgres = engine === 'postgres'
  const count = isPostgres
    ? 'jsonb_array_length(content.media::jsonb)'
    : 'json_array_length(content.media)'
  const mediaField = (field: string) =>
    isPostgres
      ? `content.media::jsonb -> cast(media.position as integer) ->> '${field}'`
      : `json_extract(content.media, '$[' || media.position || '].${field}')`
  return [
    {
      name: 'contents.media: one entry for each reference',
      sql: `select content.id from contents as content
        left join (select content_id, count(*) as n from content_media group by content_id) as listed
          on listed.content_id = content.id
        where ${count} <> coalesce(listed.n, 0)`,
    },
    {
      name: 'contents.media: uploads and files match the references',
      sql: `select content.id from content_media as media
        join contents as content on content.id = media.content_id
        join uploads as upload on upload.id = media.upload_id
        join files as file on file.sha256 = media.file_sha256
        where upload.file_sha256 <> file.sha256 or upload.owner_id <> content.creator_id and content.creator_id <> '${ERASED_OWNER}'
          or ${mediaField('upload_id')} is distinct from upload.id
          or coalesce(${mediaField('original_url')}, ${mediaField('url')}) is distinct from '/uploads/' || file.path
          or (${mediaField('url')} <> '/uploads/' || file.path and not exists (
            select 1 from renditions where renditions.file_sha256 = file.sha256
              and ${mediaField('url')} = '/uploads/' || renditions.path))`,
    },
    {
      // Sizes look like [["<16 hex digits>/320.webp",320,240]]. Characters 4 to 20 are the subfolder and its slash.
      name: 'contents.media: sizes of the pictures',
      sql: `select content.id from content_media as media
        join contents as content on content.id = media.content_id
        where ${mediaField('sizes')} <> '[]' and not exists (
          select 1 from picture_sizes as size where size.file_sha256 = media.file_sha256
            and substr(size.path, 1, 82) =
              (${mediaField('folder')}) || '/' || substr(${mediaField('sizes')}, 4, 17))`,
    },
    {
      name: 'contents.thumbnail_sizes: sizes of the thumbnail',
      sql: `select content.id from contents as content
        where content.thumbnail_sizes <> '[]' and not exists (
          select 1 from files as file join picture_sizes as size on size.file_sha256 = file.sha256
          where (file.thumbnail_path = substr(content.thumbnail_url, 10)
              or file.sha256 = substr(content.thumbnail_url, 10, 64))
            and substr(size.path, 1, 82) = substr(content.thumbnail_url, 10, 64) || '/' ||
              substr(content.thumbnail_sizes, 4, 17))`,
    },
    {
      name: 'site.logo_url: matches the chosen picture',
      sql: `select cast(site.id as text) as id from site
        left join uploads as upload on upload.id = site.logo_upload_id
        left join files as file on file.sha256 = upload.file_sha256
        where site.logo_url is distinct from '/uploads/' || file.thumbnail_path`,
    },
    {
      name: 'contents.thumbnail_url: matches the chosen picture',
      sql: `select content.id from contents as content
        join uploads as upload on upload.id = content.thumbnail_upload_id
        join files as file on file.sha256 = upload.file_sha256
        where content.thumbnail_url is distinct from '/uploads/' || file.thumbnail_path
          or upload.owner_id <> content.creator_id and content.creator_id <> '${ERASED_OWNER}'`,
    },
  ]
}

/** Returns the checks of a tree of replies. `list` is the column that must be equal in a reply and its parent. */
function ofTree(table: string, list: string | undefined): Check[] {
  const replies = `select parent_id as owner from ${table} where parent_id is not null`
  const elsewhere = list ? `or above.${list} <> below.${list}` : ''
  return [
    counted('reply_count', table, 'id', `${replies} and is_deleted = 0`),
    counted('listed_reply_count', table, 'id', `${replies} and is_listed = 1`),
    {
      name: `${table}.is_listed`,
      sql: `select id from ${table}
        where is_listed <> case when is_deleted = 0 or listed_reply_count > 0 then 1 else 0 end`,
    },
    {
      name: `${table}: replies follow their parent`,
      sql: `select below.id from ${table} as below join ${table} as above on above.id = below.parent_id
        where below.root_id <> coalesce(above.root_id, above.id) or below.id <= above.id ${elsewhere}`,
    },
  ]
}

const ofPosts: Check[] = [
  counted('like_count', 'posts', 'id', 'select post_id as owner from post_likes'),
  last('last_reply_id', 'posts', 'id', 'select root_id as owner, id from posts'),
  last(
    'last_post_id',
    'post_timeline',
    'id',
    'select 1 as owner, id from posts where parent_id is null',
  ),
]

const notified = (column: string, rows: string) =>
  counted(column, 'notification_counts', 'user_id', rows)

const ofNotifications: Check[] = [
  paired('notification_counts', 'user_id', 'users'),
  notified('total', 'select user_id as owner from notifications'),
  notified(
    'unread',
    `select notifications.user_id as owner from notifications
      join notification_counts as reader on reader.user_id = notifications.user_id
      where notifications.is_read = 0 and notifications.id > reader.read_up_to`,
  ),
  {
    name: 'notification_counts.last_notification_id: at least the latest notification',
    // A withdrawn notification may have had a later id, so a stored id after all existing ids is valid.
    sql: `select reader.user_id as id from notification_counts as reader
      join (select user_id, max(id) as id from notifications group by user_id) as latest
        on latest.user_id = reader.user_id
      where coalesce(reader.last_notification_id, '') < latest.id`,
  },
]

const ofWebhooks: Check[] = [
  counted(
    'ended_count',
    'webhooks',
    'id',
    'select webhook_id as owner from webhook_deliveries where ended_at is not null',
  ),
  counted(
    'attempt_count',
    'webhook_deliveries',
    'id',
    'select delivery_id as owner from webhook_attempts',
  ),
  {
    name: 'webhook_deliveries: last attempt succeeded if delivered',
    sql: `select delivery.id from webhook_deliveries as delivery
      left join webhook_attempts as last on last.delivery_id = delivery.id
        and last.number = delivery.attempt_count and last.error is null
      where (delivery.status = 'delivered') <> (last.number is not null)`,
  },
]

const ofConversations: Check[] = [
  {
    name: 'conversation_members: one for each participant',
    sql: `select conversation.id from conversations as conversation
      left join conversation_members as member on member.conversation_id = conversation.id
      group by conversation.id, conversation.user_low, conversation.user_high
      having count(*) <> 2 or sum(case
        when member.user_id = conversation.user_low and member.peer_id = conversation.user_high then 1
        when member.user_id = conversation.user_high and member.peer_id = conversation.user_low then 1
        else 0 end) <> 2`,
  },
  last(
    'last_message_id',
    'conversations',
    'id',
    'select conversation_id as owner, id from messages',
  ),
  {
    name: 'conversation_members: last activity and visibility in the list',
    sql: `select conversation.id from conversations as conversation
      join conversation_members as member on member.conversation_id = conversation.id
      where member.updated_at <> conversation.updated_at
        or (member.is_listed = 0 and conversation.last_message_id > member.cleared_up_to)`,
  },
  {
    name: 'conversation_members.unread_count',
    sql: `select member.conversation_id as id from conversation_members as member
      left join messages as message on message.conversation_id = member.conversation_id
        and message.sender_id <> member.user_id and message.id > member.read_up_to
        and message.id > member.cleared_up_to
      group by member.conversation_id, member.user_id, member.unread_count
      having count(message.id) <> member.unread_count`,
  },
]
