import assert from 'node:assert/strict'
import { type Anyone, anyone } from './actors.ts'
import type { Actor, Answer, Loose, TestApp } from './app.ts'

let made = 0

export function dataOf(answer: Answer, status = 200): Loose {
  assert.equal(answer.status, status, answer.text)
  return answer.data
}

export function assertError(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.error?.code], [status, code], answer.text)
}

export function assertInvalid(answer: Answer, field: string): void {
  assertError(answer, 422, 'VALIDATION_ERROR')
  const fields = answer.error?.details?.map((detail) => detail.field) ?? []
  assert.ok(fields.includes(field), `details do not name ${field}: ${answer.text}`)
}

export function valuesOf(rows: readonly Loose[], key: string): Loose[] {
  return rows.map((row) => row[key])
}

export function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id)
}

export async function makeContent(
  creator: Actor,
  over: Record<string, unknown> = {},
): Promise<Loose> {
  const body = { category: 'hype', type: 'image', title: `Work ${++made}`, ...over }
  return dataOf(await creator.post('/contents', body), 201).content
}

export async function makeComment(
  author: Actor,
  contentId: string,
  over: { body?: string; parent_id?: string } = {},
): Promise<Loose> {
  const body = { body: `Comment ${++made}`, ...over }
  return dataOf(await author.post(`/contents/${contentId}/comments`, body), 201).comment
}

export async function makePost(author: Actor, body = `Post ${++made}`): Promise<Loose> {
  return dataOf(await author.post('/posts', { body }), 201).post
}

export async function makeConversation(sender: Actor, peer: Actor): Promise<Loose> {
  return dataOf(await sender.post('/dm/conversations', { user_id: peer.id }), 201).conversation
}

export async function sendMessage(
  sender: Actor,
  conversationId: string,
  body = `Message ${++made}`,
): Promise<Loose> {
  const path = `/dm/conversations/${conversationId}/messages`
  return dataOf(await sender.post(path, { body }), 201).message
}

export async function makeApp(owner: Actor, over: Record<string, unknown> = {}): Promise<Loose> {
  const body = { app_name: `App ${++made}`, app_type: 'server', ...over }
  return dataOf(await owner.post('/devconsole/apps', body), 201).app
}
export async function makeKey(
  owner: Actor,
  appId: string,
  over: Record<string, unknown> = {},
): Promise<{ key: Loose; raw_key: string }> {
  const body = { key_name: `Key ${++made}`, environment: 'live', ...over }
  return dataOf(await owner.post(`/devconsole/apps/${appId}/keys`, body), 201)
}
export async function makeLegacyKey(owner: Actor): Promise<{ key: Loose; raw_key: string }> {
  return dataOf(await owner.post('/developer/keys', { key_name: `Key ${++made}` }), 201)
}
export function program({ url }: TestApp, rawKey: string): Anyone {
  return anyone(url, { 'x-api-key': rawKey })
}

/** Sets or clears a user's suspension in the `users` row only, without the other effects of a real suspension. */
export async function suspend(app: TestApp, { id }: { id: string }, isSuspended = true) {
  const [flag, suspendedAt] = isSuspended ? [1, 1] : [0, 'null']
  await app.sql(
    `update users set is_suspended = ${flag}, suspended_at = ${suspendedAt} where id = '${id}'`,
  )
}

export function times<T>(n: number, action: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: n }, (_, i) => action(i)))
}
