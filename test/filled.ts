import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { listTables } from '../src/backup/catalog.ts'
import { withSnapshot } from '../src/db/snapshot.ts'
import type { Db } from '../src/db/handle.ts'
import { openDatabase } from '../src/db/open.ts'
import { sealFor } from '../src/mail/rules.ts'
import { sealTotp } from '../src/factors/totp.ts'
import { openStore } from '../src/storage/open.ts'
import { newSecrets, sealSecrets } from '../src/webhooks/secrets.ts'
import { type Place, testSecrets } from './app.ts'
import { plazaOn } from './command.ts'

export function hash(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

const VIDEO = 'a film'
const STREAM = `${hash(VIDEO)}/attempt/hls`
const PICTURE = 'a picture'
const SMALL = `${hash(PICTURE)}/attempt/48.webp`
/** Text of each stored file, by path. No row refers to 720p.mp4, because clients find it through the playlist. */
const FILES: Record<string, string> = {
  [`${hash(VIDEO)}.mp4`]: VIDEO,
  [`${STREAM}/master.m3u8`]: '#EXTM3U',
  [`${STREAM}/720p.mp4`]: 'a piece of the film',
  [`${hash(PICTURE)}.png`]: PICTURE,
  [SMALL]: 'small',
}

const LATE = 4_000_000_000_000

function rest(key: string): string[] {
  const totp = sealTotp(key, 'usr_star', 'JBSWY3DPEHPK3PXP')
  const { secret, signing_secret: signing } = sealSecrets(key, 'whk_1', newSecrets())
  return [
    `insert into sessions (id, user_id, access_hash, access_expires_at, seed, generation,
       refreshed_at, expires_at, user_agent, ip, created_at, last_seen_at)
       select 'ses_' || substr(id, 5), id, 'a', ${LATE}, 'b', 1, 1, ${LATE}, 'an agent “of” people', '::1', 1, 1 from users where erased_at is null`,
    `insert into audit_entries (id, target_kind, target_id, action, before, after, created_at)
       select 'aud_1', 'user', min(id), 'role_changed', '{}', '{}', 1 from users`,
    `insert into users (id, handle, email, email_key, password_hash, display_name, role, tier,
       is_suspended, suspended_at, created_at, search_text)
       values ('usr_star', 'a_star', 'star@example.test', 'star@example.test', '', 'A star', 'user', 'regular', 1, 1, 1, '')`,
    `insert into user_counts (user_id, follower_count, following_count, content_count) values ('usr_star', 0, 0, 0)`,
    `insert into notification_counts (user_id, total, unread, read_up_to) values ('usr_star', 0, 0, '')`,
    `update member_total set total = total + 1`,
    `insert into mails (id, user_id, kind, to_address, language, params, sealed, status, attempts, due_at, created_at)
       values ('eml_1', 'usr_star', 'verification', 'star@example.test', 'ko', '{}', '${sealFor({ encryptionKey: key }, 'eml_1', 'a link')}', 'pending', 0, ${LATE}, 1)`,
    `insert into mail_tokens values ('usr_star', 'email_undo', 'hash', 'Star@example.test', 'star@example.test', ${LATE}, 1)`,
    `insert into login_agents values ('usr_star', 'hash', 1)`,
    `insert into totp_secrets values ('usr_star', '${totp}', 1, '[1]', 1)`,
    `update users set has_totp = 1 where id = 'usr_star'`,
    `insert into passkeys values ('pky_1', 'usr_star', 'credential', 'key', 1, '["usb"]', 'A key', 0, 1, null)`,
    `insert into recovery_codes values ('usr_star', 'hash 1', 1), ('usr_star', 'hash 2', 1)`,
    `insert into used_challenges values ('challenge', ${LATE})`,
    `update users set adult_filter = 'hide', flashing_filter = 'show', is_indexed = 0 where id = 'usr_star'`,
    `update contents set visibility = 'followers', publish_at = ${LATE}, warnings = '["horror"]',
       warning_text = 'Dark', embedding = 'nowhere' where id = (select min(id) from contents where status = 'draft')`,
    `insert into search_documents (id, version, tokens) values ('usr_star', 1, 'na nstar ua ustar')`,
    `insert into suspended_stars (creator_id) values ('usr_star')`,
    `insert into applications values ('reg_1', 'applicant', 'a@example.test', 'a@example.test', 'hash',
       'Applicant', 'Hello', '::1', 'ko', 'pending', null, null, null, 1, ${LATE}, null)`,
    `insert into invites (id, code_hash, created_by, max_uses, note, expires_at, created_at)
       select 'inv_1', 'hash', min(id), 2, 'A note', ${LATE}, 1 from users`,
    `insert into invite_uses select 'inv_1', max(id), 1 from users`,
    `insert into bans select 'ban_1', 'network', '203.0.113.0/24', null, null, min(id), 1 from users`,
    `insert into site_rules values ('rul_1', 0, '{"ko":"규칙","en":null}', 1)`,
    `insert into pages values ('terms', '{"ko":null,"en":"Terms"}', '{"ko":null,"en":"Text"}', 1, 1, 1)`,
    `insert into announcements values ('ann_1', '{"ko":"공지","en":null}', '{"ko":null,"en":null}', null, 1, null, 1)`,
    `insert into announcement_reads select 'ann_1', min(id) from users`,
    `insert into picks select min(id), 0, 'A note', null, 1 from contents`,
    `insert into tags (tag, is_hidden) values ('hidden', 1)`,
    `insert into tag_follows select min(id), 'hidden', 1 from users`,
    `insert into user_filters select min(id), max(id), 1, null from users`,
    `insert into decisions (id, subject_kind, subject_id, subject_user_id, action, reason, rule_id,
       rule_text, excerpt, affected_count, status, decided_by, created_at)
       select 'dec_1', 'post', min(id), min(author_id), 'hide', 'an “advertisement”', 'rul_1',
         '{"en":"No advertising"}', 'x', 1, 'in_effect', min(author_id), 1
       from posts where parent_id is null and is_deleted = 0 and reply_count > 0`,
    `insert into comment_likes select min(id), min(author_id), 1 from comments`,
    `update content_stats set pinned_comment_id = (
       select min(id) from comments where comments.content_id = content_stats.content_id
         and parent_id is null and is_deleted = 0)
       where content_id = (select min(content_id) from comments where parent_id is null and is_deleted = 0)`,
    `insert into decision_users select subject_user_id, id from decisions where id = 'dec_1'`,
    `insert into hidden_subjects select subject_id, id from decisions where id = 'dec_1'`,
    `update posts set is_deleted = 1, hidden_body = body, body = '', hidden_by = 'dec_1'
       where id = (select subject_id from decisions where id = 'dec_1')`,
    `insert into cases (id, subject_kind, subject_id, subject_user_id, snapshot, report_count, status,
       decision_id, opened_at, decided_at)
       select 'cas_1', subject_kind, subject_id, subject_user_id, '{"n": 1.50}', 0, 'decided', id, 1, 1
       from decisions where id = 'dec_1'`,
    `insert into reports (id, reporter_id, subject_kind, subject_id, case_id, reason, status,
       created_at, decided_at)
       select 'rpt_1', subject_user_id, subject_kind, subject_id, id, 'spam', 'actioned', 1, 1
       from cases where id = 'cas_1'`,
    `update case_reasons set status = 'decided' where case_id = 'cas_1'`,
    `insert into appeals (id, decision_id, user_id, body, status, created_at)
       select 'apl_1', id, subject_user_id, 'But…', 'open', 1 from decisions where id = 'dec_1'`,
    `insert into legacy_accounts values ('former', 'former@example.test', 1), ('한글', 'other@example.test', 2)`,
    `insert into captcha_solutions values ('solved', ${LATE})`,
    `insert into captcha_tokens values ('token', ${LATE}, 2)`,
    `insert into attempts values ('login:::1', 3, ${LATE})`,
    `insert into idempotency_keys values ('usr_1', 'POST /posts', 'key', 'print', 201, '{"a":"line\nfeed"}', ${LATE})`,
    `insert into content_views select content_id, 'viewer', 1 from content_stats
       where view_count > 0 and content_id not in (select content_id from content_views)`,
    `insert into files (sha256, path, mime_type, size_bytes, width, height, duration_ms, created_at, audio_codec)
       values ('${hash(VIDEO)}', '${hash(VIDEO)}.mp4', 'video/mp4', ${VIDEO.length}, 2, 2, 1, 1, 'aac')`,
    `insert into renditions values ('${hash(VIDEO)}', 0, '${STREAM}/master.m3u8', 'application/vnd.apple.mpegurl', 2, 2, 1)`,
    `insert into files (sha256, path, mime_type, size_bytes, stored_bytes, rendition_bytes, is_measured, created_at)
       values ('${hash(PICTURE)}', '${hash(PICTURE)}.png', 'image/png', ${PICTURE.length}, ${PICTURE.length}, 5, 1, 1)`,
    `insert into picture_sizes values ('${hash(PICTURE)}', 48, 'image/webp', 48, '${SMALL}', 5)`,
    // Earlier schemas lack this kind of job.
    `delete from jobs where kind = 'sizes'`,
    `insert into jobs (id, kind, subject, status, progress, created_at, updated_at)
       values ('job_1', 'conversion', '${hash(VIDEO)}', 'completed', 1000, 1, 1)`,
    `insert into job_turns values ('conversion', 'short', 'an owner', 1)`,
    `insert into job_usage values ('an owner', 1, 1)`,
    `insert into apps select 'app_1', min(id), 'An app', 'server', null, '[]', '[]', 1, 1, null from users`,
    `insert into api_keys select 'key_1', owner_id, id, 'A key', 'live', 'hash', 'plk_', 'last', '[]', null, null, null, 1 from apps where id = 'app_1'`,
    `insert into webhooks (id, owner_id, app_id, endpoint_url, events, is_active, secret, signing_secret, ended_count, created_at, updated_at)
       select 'whk_1', owner_id, id, 'http://x.test', '[]', 1, '${secret}', '${signing}', 1, 1, 1 from apps where id = 'app_1'`,
    `insert into webhook_events values ('evt_1', 'content.liked', 1, '{"n": 1.50}')`,
    `insert into webhook_deliveries
       (id, webhook_id, event_id, cause, status, attempt_count, next_attempt_at, ended_at, created_at)
       values
       ('dlv_1', 'whk_1', 'evt_1', 'event', 'delivered', 1, null, 1, 1),
       ('dlv_2', 'whk_1', 'evt_1', 'event', 'pending', 1, ${LATE}, null, 1)`,
    `insert into erasures values ('cnt_gone', 1)`,
    `insert into reserved_handles values ('hash')`,
    `insert into deletions select id, 'erase', 'keep', 1, ${LATE}, 'ko' from users where id = 'usr_star'`,
    `insert into removed_files values ('${'0'.repeat(64)}', '${'0'.repeat(64)}.png', null, 1)`,
    `insert into exports (id, user_id, status, with_files, language, error, created_at)
       values ('exp_1', 'usr_star', 'failed', 0, 'ko', 'internal', 1)`,
    `insert into webhook_attempts values
       ('dlv_1', 1, 1, 200, 'ok', null, 5), ('dlv_2', 1, 1, null, null, 'timeout', 5)`,
  ]
}

export async function fillEverything(
  place: Place,
  size = { users: 10, contents: 20 },
): Promise<void> {
  const { code, err } = await plazaOn(place, { FFMPEG: 'off', ...testSecrets() })(
    'demo',
    '--people',
    String(size.users),
    '--works',
    String(size.contents),
  )
  assert.equal(code, 0, err)
  const db = openDatabase(place)
  const { store, staging } = await openStore({ ...place, storageUrl: undefined })
  try {
    await db.script(async (run) => {
      for (const text of rest(testSecrets()['ENCRYPTION_KEY'] as string)) await run(text)
    })
    for (const [path, bytes] of Object.entries(FILES)) {
      const file = staging.newFile()
      writeFileSync(file, bytes)
      await store.put(path, file, 'video/mp4')
    }
    assert.deepEqual(await listEmpty(db), [], 'some tables are empty: add rows in test/filled.ts')
  } finally {
    staging.close()
    await Promise.all([db.close(), store.close()])
  }
}

function listEmpty(db: Db): Promise<string[]> {
  return withSnapshot(db, async (run) => {
    const empty: string[] = []
    for (const { name } of await listTables(db.engine, run)) {
      if ((await run(`select 1 from ${name} limit 1`)).length === 0) empty.push(name)
    }
    return empty
  })
}
