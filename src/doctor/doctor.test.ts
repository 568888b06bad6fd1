import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ENGINE } from '../../test/app.ts'
import { startCommand } from '../../test/command.ts'

const { plaza, sql, dataDir } = await startCommand()

interface Count {
  name: string
  drift: number
  example: string | null
}

async function examine() {
  const { code, out } = await plaza('doctor', '--json')
  const report = JSON.parse(out) as { ok: boolean; counts: Count[]; weaknesses: string[] }
  return { code, ...report, hints: (JSON.parse(out) as { hints: string[] }).hints }
}

/** One of the rows that fit, by its key. */
const one = (table: string, key: string, where: string) =>
  `${key} = (select min(${key}) from ${table} where ${where})`

/** What breaks each check, most of them several; on rows that differ where it matters. */
const DAMAGE = [
  'update category_totals set total = total + 1',
  `update user_counts set follower_count = follower_count + 1, following_count = following_count + 1,
     content_count = content_count + 1`,
  `update content_stats set like_count = like_count + 1, bookmark_count = bookmark_count + 1,
     listed_comment_count = listed_comment_count + 2, comment_count = comment_count + 1,
     top_comment_count = top_comment_count + 1, play_count = play_count + 1, view_count = 0`,
  `insert into content_views (content_id, viewer, hour) select min(content_id), 'v', 1 from content_stats`,
  `update content_stats set last_comment_id = null`,
  `update contents set status = 'archived' where ${one('contents', 'id', "status = 'published'")}`,
  `update content_stats set category = 'none' where ${one('content_stats', 'content_id', 'is_public = 1')}`,
  `delete from content_tags where ${one('content_tags', 'content_id', '1 = 1')}`,
  ...['comments', 'posts'].flatMap((table) => [
    `update ${table} set root_id = id where ${one(table, 'id', 'parent_id is not null')}`,
    `update ${table} set reply_count = reply_count + 1, listed_reply_count = listed_reply_count + 2`,
    `update ${table} set is_deleted = 1, body = '', is_listed = 0 where ${one(table, 'id', 'is_deleted = 0')}`,
  ]),
  'update posts set like_count = like_count + 1, last_reply_id = null',
  'update post_timeline set last_post_id = null',
  `update notification_counts set total = total + 1, unread = unread + 1, last_notification_id = null`,
  'update conversations set last_message_id = null',
  'update conversation_members set unread_count = unread_count + 1, updated_at = updated_at + 1',
  `delete from conversation_members where ${one('conversation_members', 'user_id', '1 = 1')}`,
  `insert into apps (id, owner_id, app_name, app_type, redirect_uris, scopes, created_at, updated_at)
     select 'app_x', min(id), 'x', 'cli', '[]', '[]', 1, 1 from users`,
  `insert into webhooks
     (id, owner_id, app_id, endpoint_url, events, is_active, secret, signing_secret, created_at, updated_at)
     select 'whk_x', owner_id, id, 'http://x', '[]', 1, 's', 's', 1, 1 from apps where id = 'app_x'`,
  "insert into webhook_events (id, kind, created_at, payload) values ('evt_x', 'x', 1, '{}')",
  `insert into webhook_deliveries
     (id, webhook_id, event_id, cause, status, attempt_count, ended_at, created_at)
     values ('dlv_x', 'whk_x', 'evt_x', 'event', 'delivered', 1, 1, 1)`,
  `insert into files (sha256, path, mime_type, size_bytes, created_at)
     values ('${'f'.repeat(64)}', 'x.png', 'image/png', 1, 1)`,
  `insert into uploads (id, owner_id, file_sha256, created_at)
     select 'upl_x', min(id), '${'f'.repeat(64)}', 1 from users`,
  `update contents set thumbnail_upload_id = 'upl_x' where ${one('contents', 'id', '1 = 1')}`,
  `insert into content_media (content_id, position, upload_id, file_sha256)
     select min(id), 99, 'upl_x', '${'f'.repeat(64)}' from contents`,
  `delete from content_stats where ${one('content_stats', 'content_id', 'is_public = 0')}`,
  `delete from user_counts where ${one('user_counts', 'user_id', '1 = 1')}`,
  `delete from notification_counts where ${one('notification_counts', 'user_id', '1 = 1')}`,
]

test('an empty database is well, and has no administrator', async () => {
  const { code, ok, hints } = await examine()
  assert.deepEqual([code, ok, hints.length], [0, true, 1])
})

test('demo fills a database in which every count equals its rows', async () => {
  const { code, out, err } = await plaza('demo', '--people', '60', '--works', '120')
  assert.equal(code, 0, err)
  assert.match(out, /60 people, 120 works, .*demo-password-1/s)
  const report = await examine()
  assert.deepEqual(
    report.counts.filter(({ drift }) => drift > 0),
    [],
  )
  assert.deepEqual([report.code, report.ok, report.hints], [0, true, []])
})

test('demo leaves a database alone that has accounts', async () => {
  const { code, out, err } = await plaza('demo', '--people', '60', '--works', '120')
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /^plaza: there are accounts in this database already.*\n$/)
  assert.deepEqual(
    (await sql('select count(*) as n from users')).map(({ n }) => Number(n)),
    [60],
  )
})

test('the named accounts of demo have what there is to look at', async () => {
  const [demo] = await sql(
    `select content_count, follower_count, unread, (
       select count(*) from conversation_members where user_id = users.id and is_listed = 1
     ) as conversations
     from users join user_counts on user_counts.user_id = users.id
       join notification_counts on notification_counts.user_id = users.id
     where handle = 'demo' and role = 'user'`,
  )
  for (const [name, value] of Object.entries(demo ?? {})) assert.ok(Number(value) > 2, name)
  assert.equal(Object.keys(demo ?? {}).length, 4)
  const admins = await sql("select handle from users where role = 'admin'")
  assert.deepEqual(
    admins.map(({ handle }) => handle),
    ['demo_admin'],
  )
})

test('secrets that others can read are reported', {
  skip: ENGINE === 'postgres' && 'PostgreSQL keeps no secrets in files',
}, async () => {
  const file = join(dataDir, 'secrets.json')
  chmodSync(file, 0o644)
  const { code, ok, weaknesses } = await examine()
  assert.deepEqual([code, ok, weaknesses.length], [1, false, 1])
  chmodSync(file, 0o600)
})

test('a row that refers to nothing is reported', {
  skip: ENGINE === 'postgres' && 'PostgreSQL lets nobody make one',
}, async () => {
  const db = new DatabaseSync(join(dataDir, 'plaza.db'))
  db.exec("pragma foreign_keys = off; insert into post_likes values ('pst_x', 'usr_x', 1)")
  const { code, out } = await plaza('doctor')
  assert.equal(code, 1)
  assert.match(out, /^damaged: a row of post_likes refers to what is missing$/m)
  db.exec("delete from post_likes where post_id = 'pst_x'")
  db.close()
})

test('whatever is stored twice and differs is found, and named', async () => {
  await sql(...DAMAGE)
  const { code, ok, counts } = await examine()
  assert.deepEqual([code, ok], [1, false])
  const missed = counts.filter(({ drift, example }) => drift === 0 || example === null)
  assert.deepEqual(
    missed.map(({ name }) => name),
    [],
  )
})
