/**
 * Server of five routes, written by hand with Fastify, SQL and JSON.stringify. It checks sessions, makes the same
 * database changes as Plaza and sends the same responses. It does not validate input.
 *
 * Arguments: a file with recorded responses, the database, the port. With `bare` instead of the database, the server
 * only sends the recorded responses.
 */
import { hash, randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import pg from 'pg'
import { newId } from '../src/db/ids.ts'
import type { Loose } from '../test/actors.ts'
import type { Recorded } from './compare.ts'

type Query = (text: string, ...values: (string | number | null)[]) => Promise<Loose[]>

const [file = '', address = '', port = '0'] = process.argv.slice(2)
const recorded: Recorded[] = JSON.parse(readFileSync(file, 'utf8'))
const LOCK = / for update of \w+$/
const isPostgres = address.startsWith('postgres:')
const { query, connect } = isPostgres ? openPostgres() : openSqlite()

/**
 * Opens SQLite with one connection. Its queries are synchronous, so a transaction waits only for microtasks and no
 * other request runs during it.
 */
function openSqlite() {
  const db = new DatabaseSync(address === 'bare' ? ':memory:' : address)
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  db.exec('pragma temp_store = memory; pragma cache_size = -65536; pragma mmap_size = 1073741824')
  const prepare = (text: string) => db.prepare(text.replace(LOCK, '').replaceAll('$', '?'))
  const known: Record<string, StatementSync> = {}
  const run: Query = async (text, ...values) => (known[text] ??= prepare(text)).all(...values)
  return { query: run, connect: async () => ({ run, release: () => {} }) }
}

function openPostgres() {
  pg.types.setTypeParser(20, Number)
  const pool = new pg.Pool({ connectionString: address, max: 10 })
  const names: Record<string, string> = {}
  const nameOf = (text: string) => (names[text] ??= `s${Object.keys(names).length}`)
  const on = (client: pg.Pool | pg.PoolClient): Query => {
    return async (text, ...values) =>
      (await client.query({ name: nameOf(text), text, values })).rows
  }
  const open = async () => {
    const client = await pool.connect()
    return { run: on(client), release: () => client.release() }
  }
  return { query: on(pool), connect: open }
}

async function transaction<T>(action: (run: Query) => Promise<T>): Promise<T> {
  const { run, release } = await connect()
  try {
    await run(isPostgres ? 'begin' : 'begin immediate')
    const result = await action(run)
    await run('commit')
    return result
  } catch (error) {
    await run('rollback')
    throw error
  } finally {
    release()
  }
}

async function insert(run: Query, table: string, row: Record<string, string | number | null>) {
  const names = Object.keys(row)
  const values = names.map((_, i) => `$${i + 1}`)
  const text = `insert into ${table} (${names.join()}) values (${values.join()}) on conflict do nothing returning 1`
  return (await run(text, ...Object.values(row))).length > 0
}

const TOKEN = /^Bearer (pla_([0-9a-z]{26})[0-9a-z]{6}[A-Za-z0-9_-]{43})$/

async function viewerOf({ headers }: FastifyRequest): Promise<Loose> {
  const [, token = '', session = ''] = TOKEN.exec(headers.authorization ?? '') ?? []
  const text = `select u.id, u.handle, u.display_name, u.avatar_url from sessions s
    join users u on u.id = s.user_id
    where s.id = $1 and s.access_hash = $2 and s.access_expires_at > $3 and u.is_suspended = 0`
  const digest = hash('sha256', token, 'base64url')
  const [user] = await query(text, `ses_${session}`, digest, Date.now())
  return user ?? Promise.reject(new Error('no session'))
}

const iso = (time: number) => new Date(time).toISOString()

function toComment(row: Loose) {
  const { id, content_id, parent_id, root_id, body, created_at, updated_at } = row
  const { reply_count, like_count, is_pinned } = row
  const { author_id, handle, display_name, avatar_url } = row
  const author = { id: author_id, handle, display_name, avatar_url, avatar_sizes: [] }
  const head = { id, content_id, parent_id, root_id, author, body }
  const state = { is_deleted: false, is_filtered: false, hidden_by: null }
  const counts = { reply_count, like_count, is_liked: false, is_pinned }
  return { ...head, ...state, ...counts, created_at: iso(created_at), updated_at: iso(updated_at) }
}

async function lockContent(run: Query, id: string): Promise<Loose> {
  const text = `select s.creator_id, s.like_count, c.title from content_stats s
    join contents c on c.id = s.content_id
    where s.content_id = $1 and s.is_public = 1 for update of s`
  return (await run(text, id))[0] ?? Promise.reject(new Error('no such content'))
}

async function notify(run: Query, { creator_id: user_id, title }: Loose, notification: Loose) {
  const created_at = Date.now()
  const row = {
    id: newId('ntf', created_at),
    user_id,
    kind: `${notification.type}.content`,
    ...notification,
  }
  const rest = { params: JSON.stringify({ title }), is_read: 0, created_at }
  if (user_id !== notification.actor_id) await insert(run, 'notifications', { ...row, ...rest })
}

type Asked = { viewer: Loose; id: string; body: string; now: number }

const handlers: Record<string, (asked: Asked) => Promise<unknown>> = {
  async 'unread-count'({ viewer }) {
    const text = 'select unread from notification_counts where user_id = $1'
    return { unread_count: (await query(text, viewer.id))[0].unread }
  },
  async 'comment-list'({ id }) {
    const stats = 'listed_comment_count as total, pinned_comment_id as pinned from content_stats'
    const [content] = await query(`select ${stats} where content_id = $1 and is_public = 1`, id)
    const listed = `select c.*, u.handle, u.display_name, u.avatar_url from comments c
      join users u on u.id = c.author_id where c.content_id = $1 and c.is_listed = 1 order by c.id limit 20`
    const rows = await query(listed, id)
    const { total, pinned } = content
    const comments = rows.map((row) => toComment({ ...row, is_pinned: row.id === pinned }))
    const pinned_comment = comments.find((comment) => comment.is_pinned) ?? null
    const more = { total_pages: Math.ceil(total / 20), has_next: total > 20, has_prev: false }
    return { comments, pinned_comment, pagination: { page: 1, per_page: 20, total, ...more } }
  },
  'like-toggle': ({ viewer, id, now }) =>
    transaction(async (run) => {
      const content = await lockContent(run, id)
      const like = { content_id: id, user_id: viewer.id, created_at: now }
      const is_liked = await insert(run, 'likes', like)
      const notification = {
        type: 'like',
        actor_id: viewer.id,
        subject_id: id,
        link: `/contents/${id}`,
      }
      if (is_liked) await notify(run, content, notification)
      else {
        const withdraw = `delete from notifications where user_id = $1 and type = 'like' and actor_id = $2
          and subject_id = $3 and is_read = 0
          and id > (select read_up_to from notification_counts where user_id = $1)`
        await run('delete from likes where content_id = $1 and user_id = $2', id, viewer.id)
        await run(withdraw, content.creator_id, viewer.id, id)
      }
      return { is_liked, like_count: content.like_count + (is_liked ? 1 : -1) }
    }),
  'comment-create': ({ viewer, id: content_id, body, now }) =>
    transaction(async (run) => {
      const content = await lockContent(run, content_id)
      const ids = { id: newId('cmt', now), content_id, parent_id: null, root_id: null }
      const times = { created_at: now, updated_at: now }
      const row = { ...ids, author_id: viewer.id, body, reply_count: 0, ...times }
      await insert(run, 'comments', { ...row, is_deleted: 0, is_listed: 1, listed_reply_count: 0 })
      const link = `/contents/${content_id}#${row.id}`
      const notification = { type: 'comment', actor_id: viewer.id, subject_id: row.id, link }
      await notify(run, content, notification)
      return { comment: toComment({ ...viewer, ...row, like_count: 0, is_pinned: false }) }
    }),
  'message-send': ({ viewer, id: conversation_id, body, now }) =>
    transaction(async (run) => {
      const lock = `select u.is_suspended from conversation_members m join users u on u.id = m.peer_id
        where m.conversation_id = $1 and m.user_id = $2 for update of m`
      const [peer] = await run(lock, conversation_id, viewer.id)
      if (peer?.is_suspended !== 0) throw new Error('no such conversation')
      const row = { id: newId('msg', now), conversation_id, sender_id: viewer.id, body }
      await insert(run, 'messages', { ...row, client_message_id: null, created_at: now })
      const latest = 'update conversations set last_message_id = $2, updated_at = $3 where id = $1'
      await run(latest, conversation_id, row.id, now)
      const members = `update conversation_members set is_listed = 1, updated_at = $3, unread_count =
        unread_count + case when user_id = $2 then 0 else 1 end where conversation_id = $1`
      await run(members, conversation_id, viewer.id, now)
      const state = { is_read: false, is_deleted: false, hidden_by: null, client_message_id: null }
      return { message: { ...row, ...state, created_at: iso(now) } }
    }),
}

const app = Fastify({ genReqId: () => randomUUIDv7() })

for (const { name, method, route: url, status, headers, body } of recorded) {
  const replay = (_: FastifyRequest, reply: FastifyReply) =>
    reply.code(status).headers(headers).send(body)
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const now = Date.now()
    const viewer = name === 'comment-list' ? undefined : await viewerOf(request)
    const asked = { viewer, ...(request.params as object), ...(request.body as object), now }
    const json = JSON.stringify(await handlers[name]?.(asked as Asked))
    const reset = String((Math.floor(now / 60_000) + 1) * 60)
    const own = { 'x-request-id': request.id, 'x-ratelimit-reset': reset }
    reply.code(status).headers({ ...headers, ...own })
    if (headers['etag']) reply.header('etag', `W/"${hash('sha1', json, 'base64url')}"`)
    const meta = { request_id: `req_${request.id}`, timestamp: iso(now), version: 'v1' }
    return reply.send(`{"success":true,"data":${json},"meta":${JSON.stringify(meta)}}`)
  }
  app.route({ method, url, handler: address === 'bare' ? replay : handler })
}
process.on('SIGTERM', () => process.exit(0))
console.log(await app.listen({ host: '127.0.0.1', port: Number(port) }))
