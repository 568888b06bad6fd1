/** Checks that the hand-written handlers respond like Plaza before anything is measured. */
import assert from 'node:assert/strict'
import type { Db, ScriptRow } from '../src/db/handle.ts'
import type { Call, Row } from './rows.ts'
import type { Viewer, World } from './world.ts'

/** A recorded response of Plaza, which the bare server repeats. */
export interface Recorded {
  method: 'GET' | 'POST'
  /** Route pattern in Fastify's syntax. */
  route: string
  path: string
  status: number
  headers: Record<string, string>
  body: string
}

/** Number of viewers whose responses are compared. */
const SAMPLE = 8
const ADDED_BY_NODE = new Set(['connection', 'content-length', 'date', 'keep-alive'])

export function headersOf(
  { caller }: Row,
  { token, apiKey }: Viewer,
  { body }: Call,
): Record<string, string> {
  return {
    ...(caller === 'session' && { authorization: `Bearer ${token}` }),
    ...(caller === 'key' && { 'x-api-key': apiKey }),
    ...(body && { 'content-type': 'application/json' }),
  }
}

async function ask(url: string, row: Row, viewer: Viewer, call: Call): Promise<Recorded> {
  const { method, route } = row
  const { path, body } = call
  const response = await fetch(url + path, {
    method,
    // Disable compression as in the load generator, because fetch enables it by default.
    headers: { ...headersOf(row, viewer, call), 'accept-encoding': 'identity' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  assert.equal(response.status, row.status, `${method} ${url}${path}: ${text}`)
  const headers = [...response.headers].filter(([name]) => !ADDED_BY_NODE.has(name))
  return {
    method,
    route,
    path,
    status: response.status,
    headers: Object.fromEntries(headers),
    body: text,
  }
}

/** Asserts that both servers give the same responses to a row. Returns one of Plaza's responses. */
export async function compareAnswers(
  row: Row,
  world: World,
  minimal: string,
  plaza: string,
): Promise<Recorded> {
  let last: Recorded | undefined
  for (const viewer of world.viewers.slice(0, SAMPLE)) {
    for (const call of row.calls(world, viewer).slice(0, 2)) {
      // Send every call twice, so that toggles return to their initial state.
      for (let turn = 0; turn < 2; turn++) {
        const expected = await ask(plaza, row, viewer, call)
        const actual = await ask(minimal, row, viewer, call)
        assert.deepEqual(dataOf(actual), dataOf(expected), `${row.name}: data differs`)
        assert.deepEqual(
          lasting(actual.headers),
          lasting(expected.headers),
          `${row.name}: headers differ`,
        )
        assert.equal(actual.body.length, expected.body.length, `${row.name}: length differs`)
        last = expected
      }
    }
  }
  return last as Recorded
}

/** Replaces values that differ in every response: ids and times of new rows. */
function dataOf({ method, body }: Recorded): unknown {
  const { data } = JSON.parse(body)
  if (method === 'GET') return data
  const text = JSON.stringify(data)
    .replaceAll(/"(cmt|msg|cnt|pst)_[0-9a-z]{26}"/g, '"$1"')
    .replaceAll(/"[0-9]{4}-[^"]*Z"/g, '"time"')
  return JSON.parse(text)
}

function lasting(headers: Record<string, string>) {
  return { ...headers, 'x-request-id': '', 'x-ratelimit-reset': '' }
}

const FIGURES = [
  `select category, type, status, tags, description, media, game, thumbnail_url, count(*) as n from contents
   group by category, type, status, tags, description, media, game, thumbnail_url order by 1, 2, 3, 4`,
  'select tag, category, count(*) as n from content_tags group by tag, category order by tag, category',
  'select category, total from category_totals order by category',
  'select tag, category, total from tag_totals order by tag, category',
  `select sum(content_count) as works, sum(hype_count) as hype, sum(follower_count) as followers,
     sum(following_count) as following from user_counts`,
  'select count(*) as likes from likes',
  'select count(*) as bookmarks from bookmarks',
  'select count(*) as follows from follows',
  'select count(*) as posts, sum(is_listed) as listed from posts',
  'select count(*) as last from post_timeline t join posts p on p.id = t.last_post_id',
  'select count(*) as comments, sum(is_listed) as listed from comments',
  `select sum(like_count) as likes, sum(bookmark_count) as bookmarks, sum(comment_count) as comments, sum(listed_comment_count) as listed,
     sum(top_comment_count) as top, count(last_comment_id) as last,
     count(*) as works, sum(is_public) as public, count(published_at) as published,
     round(cast(sum(hot_score - coalesce(published_at, 0) / 45000000.0) as numeric), 2) as points
   from content_stats`,
  `select type, kind, count(*) as n, sum(is_read) as read from notifications
   group by type, kind order by type, kind`,
  'select sum(total) as total, sum(unread) as unread, count(last_notification_id) as last from notification_counts',
  'select count(*) as messages from messages',
  `select count(*) as last from conversations c join messages m on m.id = c.last_message_id
   where c.updated_at = m.created_at`,
  'select sum(unread_count) as unread, sum(is_listed) as listed from conversation_members',
]

/** Asserts that two databases hold the same data after the same requests. */
export async function compareDatabases(minimal: Db, plaza: Db): Promise<void> {
  assert.deepEqual(await figuresOf(minimal), await figuresOf(plaza), 'the databases differ')
}

async function figuresOf(db: Db): Promise<ScriptRow[][]> {
  const figures: ScriptRow[][] = []
  await db.script(async (run) => {
    for (const text of FIGURES) figures.push(await run(text))
  })
  return figures
}
