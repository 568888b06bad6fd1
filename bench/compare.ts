import assert from 'node:assert/strict'
import type { Db, ScriptRow } from '../src/db/handle.ts'
import { type Call, callsOf, type Row } from './rows.ts'
import type { Viewer, World } from './world.ts'

export interface Recorded extends Pick<Row, 'name' | 'method' | 'route' | 'status'> {
  headers: Record<string, string>
  body: string
}

const COMPARED_VIEWERS = 8
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

export async function record(row: Row, world: World, url: string): Promise<Recorded[]> {
  const found: Recorded[] = []
  for (const viewer of world.viewers.slice(0, COMPARED_VIEWERS)) {
    for (const call of callsOf(row, world, viewer).slice(0, 2)) {
      // Sends every call twice, so that toggles return to their initial state.
      for (let turn = 0; turn < 2; turn++) found.push(await ask(url, row, viewer, call))
    }
  }
  return found
}

async function ask(url: string, row: Row, viewer: Viewer, call: Call): Promise<Recorded> {
  const { name, method, route, status } = row
  const { path, body } = call
  const response = await fetch(url + path, {
    method,
    // Overrides fetch's default, because the load generator requests no compression.
    headers: { ...headersOf(row, viewer, call), 'accept-encoding': 'identity' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  assert.equal(response.status, status, `${method} ${url}${path}: ${text}`)
  const headers = [...response.headers].filter(([header]) => !ADDED_BY_NODE.has(header))
  return { name, method, route, status, headers: Object.fromEntries(headers), body: text }
}

export function compareAnswers(actual: Recorded[], expected: Recorded[]): void {
  assert.deepEqual(actual.map(lasting), expected.map(lasting))
}

/**
 * Returns the parts of a response that must be equal on all servers. Replaces the ids and times in responses to
 * writes.
 */
function lasting({ name, method, headers, body }: Recorded) {
  const { data } = JSON.parse(body)
  const text = JSON.stringify(data)
    .replaceAll(/(cmt|msg)_[0-9a-z]{26}/g, '$1')
    .replaceAll(/"[0-9]{4}-[^"]*Z"/g, '"time"')
  return {
    name,
    length: body.length,
    data: method === 'GET' ? data : JSON.parse(text),
    headers: { ...headers, 'x-request-id': '', 'x-ratelimit-reset': '' },
  }
}

const FIGURES = [
  'select count(*) as likes from likes',
  'select count(*) as comments, sum(is_listed) as listed from comments',
  `select sum(like_count) as likes, sum(comment_count) as comments, sum(listed_comment_count) as listed,
     sum(top_comment_count) as top, count(last_comment_id) as last from content_stats`,
  'select type, kind, count(*) as n from notifications group by type, kind order by type, kind',
  'select sum(total) as total, sum(unread) as unread, count(last_notification_id) as last from notification_counts',
  'select count(*) as messages from messages',
  'select count(*) as last from conversations c join messages m on m.id = c.last_message_id',
  'select sum(unread_count) as unread, sum(is_listed) as listed from conversation_members',
]

export async function compareDatabases(minimal: Db, plaza: Db): Promise<void> {
  assert.deepEqual(await figuresOf(minimal), await figuresOf(plaza), 'the databases differ')
}

function figuresOf(db: Db): Promise<ScriptRow[][]> {
  return db.script(async (run) => {
    const figures: ScriptRow[][] = []
    for (const text of FIGURES) figures.push(await run(text))
    return figures
  })
}
