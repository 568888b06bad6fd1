import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINE, newPlace } from '../../test/app.ts'
import { fillEverything } from '../../test/filled.ts'
import { openDatabase } from '../db/open.ts'
import { listChecks } from './checks.ts'
import { examineDatabase } from './examine.ts'

const place = await newPlace(() => db.close())
await fillEverything(place, { users: 24, contents: 60 })
const db = openDatabase(place)

const firstRow = (table: string, key: string, where: string) =>
  `${key} = (select min(${key}) from ${table} where ${where})`

const add = (table: string, column: string, by: number, key: string, where = `${column} > 0`) => [
  `update ${table} set ${column} = ${column} + ${by} where ${firstRow(table, key, where)}`,
]

const drop = (table: string, key: string, where = '1 = 1') => [
  `delete from ${table} where ${firstRow(table, key, where)}`,
]

const dropReaction = (table: string, key: string, brokenDb: string) => [
  `delete from ${table} where ${firstRow(table, key, '1 = 1')} and ${brokenDb} =
     (select min(${brokenDb}) from ${table} where ${firstRow(table, key, '1 = 1')})`,
]

const stats = (column: string, by = 1) => add('content_stats', column, by, 'content_id')
const users = (column: string) => add('user_counts', column, 1, 'user_id', '1 = 1')

function ofTree(table: string): Record<string, string[]> {
  return {
    [`${table}.reply_count`]: add(table, 'reply_count', -1, 'id'),
    [`${table}.listed_reply_count`]: add(table, 'listed_reply_count', 1, 'id', 'is_listed = 1'),
    [`${table}: replies follow their parent`]: [
      `update ${table} set root_id = id where ${firstRow(table, 'id', 'parent_id is not null')}`,
    ],
  }
}

const without = (trigger: string, table: string) =>
  `drop trigger ${trigger}${ENGINE === 'postgres' ? ` on ${table}` : ''}`

const PUBLIC = 'is_public = 1'
const WITH_MEDIA = 'id in (select content_id from content_media)'

/**
 * SQL statements that cause a fault, by the name of the check that must find it. The test rolls them back
 * afterwards.
 */
const FAULTS: Record<string, string[]> = {
  'content_stats: one row for each of contents': drop(
    'content_stats',
    'content_id',
    'is_public = 0 and published_at is null',
  ),
  'content_stats.like_count': [
    without('like_removed', 'likes'),
    ...dropReaction('likes', 'content_id', 'user_id'),
  ],
  'content_stats.bookmark_count': [
    without('bookmark_removed', 'bookmarks'),
    ...dropReaction('bookmarks', 'content_id', 'user_id'),
  ],
  'content_stats.play_count': [without('play_removed', 'plays'), ...drop('plays', 'id')],
  'content_stats.comment_count': [
    without('comment_removed', 'comments'),
    `update comments set is_deleted = 1, body = '' where ${firstRow('comments', 'id', 'is_deleted = 0 and parent_id is null and listed_reply_count > 0')}`,
  ],
  'content_stats.listed_comment_count': stats('listed_comment_count'),
  'content_stats.top_comment_count': stats('top_comment_count'),
  'content_stats.hidden_comment_count': add(
    'content_stats',
    'hidden_comment_count',
    1,
    'content_id',
    '1 = 1',
  ),
  'content_stats.is_pin_hidden: whether the pinned comment is deleted': [
    `update content_stats set is_pin_hidden = 1 - is_pin_hidden
      where ${firstRow('content_stats', 'content_id', 'pinned_comment_id is not null')}`,
  ],
  'comments.like_count': [
    without('comment_like_removed', 'comment_likes'),
    'delete from comment_likes',
  ],
  'comments.is_hidden_by_creator: hidden': [
    `update comments set is_hidden_by_creator = 1 where ${firstRow('comments', 'id', 'hidden_by is null')}`,
  ],
  'content_stats.last_comment_id': [
    `update content_stats set last_comment_id = null where ${firstRow('content_stats', 'content_id', 'last_comment_id is not null')}`,
  ],
  'content_stats.view_count: at least the stored views': [
    `update content_stats set view_count = 0 where ${firstRow('content_stats', 'content_id', 'view_count > 0')}`,
  ],
  ...Object.fromEntries(
    ['likes', 'plays', 'comments', 'follows'].map((column) => [
      `content_days.${column}`,
      add('content_days', column, 1, 'content_id', '1 = 1'),
    ]),
  ),
  'follower_days.follows': add('follower_days', 'follows', 1, 'creator_id', '1 = 1'),
  'content_days.views: add up to the view count': add(
    'content_days',
    'views',
    1,
    'content_id',
    '1 = 1',
  ),
  'content_days.creator_id: the creator of the content': [
    `update content_days set creator_id = 'usr_x'
      where ${firstRow('content_days', 'content_id', '1 = 1')}`,
  ],
  'content_stats.hot_score': add('content_stats', 'hot_score', 0.001, 'content_id', PUBLIC),
  'content_stats.is_public': [
    `update contents set status = 'archived' where ${firstRow('contents', 'id', "status = 'published'")}`,
  ],
  'content_stats.shared_with': [
    `update content_stats set shared_with = 'anyone' where ${firstRow('content_stats', 'content_id', 'is_public = 0')}`,
  ],
  'content_stats: creator, category, type and publication time of the content': add(
    'content_stats',
    'published_at',
    1,
    'content_id',
    PUBLIC,
  ),
  'content_tags: the tags of public contents': add('content_tags', 'published_at', 1, 'content_id'),
  'content_tags.score_bucket': add('content_tags', 'score_bucket', 1, 'content_id'),
  'content_tags.category': [
    `update content_tags set category = 'none' where ${firstRow('content_tags', 'content_id', '1 = 1')}`,
  ],
  'cases.report_count': add('cases', 'report_count', 1, 'id'),
  'case_reasons.total': add('case_reasons', 'total', 1, 'case_id'),
  'case_reasons.status: of the case': [
    `update case_reasons set status = case when status = 'open' then 'decided' else 'open' end`,
  ],
  'case_totals.total': add('case_totals', 'total', 1, 'status'),
  'case_filter_totals.total': add('case_filter_totals', 'total', 1, 'status'),
  'cases.status: decided with the reports': [
    `update reports set status = 'open', decided_at = null`,
  ],
  ...Object.fromEntries(
    ['comments', 'posts', 'messages'].map((table) => [
      `${table}.hidden_by: a decision that hides the row`,
      [`update ${table} set hidden_by = 'dec_2' where ${firstRow(table, 'id', '1 = 1')}`],
    ]),
  ),
  'contents.moderation: hidden while a decision hides it': [
    `update contents set moderation = '{}' where ${firstRow('contents', 'id', "status = 'archived'")}`,
  ],
  'users.avatar_url: null while a decision blocks the picture': [
    `update users set blocked_avatar_url = '/uploads/x.webp' where ${firstRow('users', 'id', 'avatar_sizes is null')}`,
  ],
  'decisions: each block hides the hash of its file': [
    `update decisions set action = 'block_file', subject_id = 'x'`,
  ],
  'hidden_subjects: by decisions in effect': [`update decisions set status = 'undone'`],
  'tag_totals.total': [
    `update tag_totals set total = total + 1 where ${firstRow('tag_totals', 'tag', '1 = 1')}`,
  ],
  'tags.content_count': add('tags', 'content_count', 1, 'tag'),
  'shown_tags.total': add('shown_tags', 'total', 1, 'id'),
  'users.passkey_count': add('users', 'passkey_count', 1, 'id', '1 = 1'),
  'users.recovery_code_count': [
    without('recovery_codes_removed', 'recovery_codes'),
    'delete from recovery_codes',
  ],
  'users.has_totp': ['update totp_secrets set confirmed_at = null'],
  'audit_totals.total': add('audit_totals', 'total', 1, 'action'),
  'category_totals.total': add('category_totals', 'total', 1, 'category'),
  'contents.media: one entry for each reference': drop('content_media', 'content_id'),
  'contents.media: uploads and files match the references': [
    `update contents set media = replace(media, '/uploads/', '/upload/') where ${firstRow('contents', 'id', WITH_MEDIA)}`,
  ],
  'contents.media: sizes of the pictures': [
    `update contents set media = replace(media, '"sizes":[["', '"sizes":[["0')`,
  ],
  'contents.thumbnail_sizes: sizes of the thumbnail': [
    `update contents set thumbnail_sizes = '[["0123456789abcdef/160.webp",160,90]]' where ${firstRow('contents', 'id', 'thumbnail_url is not null')}`,
  ],
  'invites.use_count': [`update invites set use_count = 0`],
  'site.logo_url: matches the chosen picture': [`update site set logo_url = '/x'`],
  'contents.thumbnail_url: matches the chosen picture': [
    `update contents set thumbnail_url = '/x' where ${firstRow('contents', 'id', 'thumbnail_upload_id is not null')}`,
  ],
  'erasures: no data is left after the erasure': [
    `insert into erasures (id, erased_at) select min(id), 1 from contents`,
  ],
  'user_counts: one row for each of users': drop('user_counts', 'user_id'),
  'user_counts.follower_count': users('follower_count'),
  'user_counts.following_count': users('following_count'),
  'user_counts.content_count': users('content_count'),
  'user_counts.hype_count': users('hype_count'),
  'user_counts.swipe_count': users('swipe_count'),
  'user_counts.jump_count': users('jump_count'),
  'user_counts.suspended_follower_count': users('suspended_follower_count'),
  'user_counts.block_count': users('block_count'),
  'user_counts.mute_count': users('mute_count'),
  'suspended_stars: suspended': [
    `insert into suspended_stars (creator_id)
       select creator_id from follows join users on users.id = creator_id where is_suspended = 0 limit 1`,
  ],
  'follows.is_follower_suspended': [
    `update follows set is_follower_suspended = 1 - is_follower_suspended where ${firstRow('follows', 'creator_id', '1 = 1')}`,
  ],
  'follows.is_creator_suspended': [
    `update follows set is_creator_suspended = 1 - is_creator_suspended where ${firstRow('follows', 'creator_id', '1 = 1')}`,
  ],
  'member_total.total': add('member_total', 'total', 1, 'id'),
  ...ofTree('comments'),
  'comments.is_listed': [
    without('comment_added', 'comments'),
    `insert into comments (id, content_id, author_id, body, is_deleted, is_listed, created_at, updated_at)
       select 'cmt_0', content_id, creator_id, '', 1, 1, 1, 1 from content_stats
       where ${firstRow('content_stats', 'content_id', 'last_comment_id is not null')}`,
    `update content_stats set listed_comment_count = listed_comment_count + 1,
       top_comment_count = top_comment_count + 1
       where content_id = (select content_id from comments where id = 'cmt_0')`,
  ],
  ...ofTree('posts'),
  'posts.is_listed': [
    `insert into posts (id, author_id, body, is_deleted, is_listed, created_at)
       select 'pst_0', min(id), '', 1, 1, 1 from users`,
  ],
  'posts.like_count': add('posts', 'like_count', 1, 'id', '1 = 1'),
  'posts.last_reply_id': [
    `update posts set last_reply_id = null where ${firstRow('posts', 'id', 'last_reply_id is not null')}`,
  ],
  'post_timeline.last_post_id': ['update post_timeline set last_post_id = null'],
  'notification_counts: one row for each of users': drop('notification_counts', 'user_id'),
  'notification_counts.total': add('notification_counts', 'total', 1, 'user_id', '1 = 1'),
  'notification_counts.unread': add('notification_counts', 'unread', -1, 'user_id'),
  'notification_counts.last_notification_id: at least the latest notification': [
    `update notification_counts set last_notification_id = null where ${firstRow('notification_counts', 'user_id', 'total > 0')}`,
  ],
  'conversation_members: one for each participant': dropReaction(
    'conversation_members',
    'conversation_id',
    'user_id',
  ),
  'conversations.last_message_id': [
    `update conversations set last_message_id = null where ${firstRow('conversations', 'id', 'last_message_id is not null')}`,
  ],
  'conversation_members: last activity and visibility in the list': add(
    'conversation_members',
    'updated_at',
    1,
    'conversation_id',
  ),
  'conversation_members.unread_count': add(
    'conversation_members',
    'unread_count',
    1,
    'conversation_id',
    '1 = 1',
  ),
  'files.rendition_bytes: the sizes of the picture': [
    'update picture_sizes set size_bytes = size_bytes + 1',
  ],
  'users.avatar_sizes: sizes of the avatar': [
    `update users set avatar_sizes = '[["0123456789abcdef/48.webp",48,48]]' where ${firstRow('users', 'id', 'avatar_url is not null')}`,
  ],
  'storage_usage.used_bytes': add('storage_usage', 'used_bytes', 1, 'user_id', '1 = 1'),
  'storage_usage.file_count': add('storage_usage', 'file_count', 1, 'user_id', '1 = 1'),
  'files.file_count': add(
    'files',
    'file_count',
    1,
    'sha256',
    'sha256 not in (select file_sha256 from uploads)',
  ),
  'files.stored_bytes: at least the file and its unpacked bundle': [
    `update files set is_measured = 1, stored_bytes = size_bytes - 1
      where ${firstRow('files', 'sha256', 'sha256 not in (select file_sha256 from uploads)')}`,
  ],
  'webhooks.ended_count': add('webhooks', 'ended_count', 1, 'id', '1 = 1'),
  'webhook_deliveries.attempt_count': add(
    'webhook_deliveries',
    'attempt_count',
    1,
    'id',
    "status = 'pending'",
  ),
  'webhook_deliveries: last attempt succeeded if delivered': [
    "update webhook_attempts set error = 'none' where delivery_id = 'dlv_1'",
  ],
}

/** Faults that several checks report, with the names of the additional checks. */
const SEEN_TOO: Record<string, string[]> = {
  'content_tags.category': ['tag_totals.total'],
  'content_stats.view_count: at least the stored views': [
    'content_days.views: add up to the view count',
  ],
  'posts: replies follow their parent': ['posts.last_reply_id'],
  'contents.thumbnail_url: matches the chosen picture': [
    'contents.thumbnail_sizes: sizes of the thumbnail',
  ],
}

test('has a fault for each check and a check for each fault', () => {
  const names = listChecks(ENGINE).map(({ name }) => name)
  assert.deepEqual(Object.keys(FAULTS).toSorted(), names.toSorted())
})

test('finds each fault with its own check only', async () => {
  assert.deepEqual(
    (await examineDatabase(db)).counts.filter(({ drift }) => drift > 0),
    [],
  )
  const checks = listChecks(ENGINE)
  const found: Record<string, string[]> = {}
  await db.script(async (run) => {
    for (const [name, texts] of Object.entries(FAULTS)) {
      await run('begin')
      for (const text of texts) await run(text)
      const seen: string[] = []
      for (const check of checks) {
        if ((await run(`${check.sql} limit 1`)).length > 0) seen.push(check.name)
      }
      await run('rollback')
      found[name] = seen
    }
  })
  for (const name of Object.keys(FAULTS)) {
    const expected = [name, ...(SEEN_TOO[name] ?? [])]
    assert.deepEqual(found[name]?.toSorted(), expected.toSorted(), name)
  }
})
