import type { Actor, Answer, Loose, TestApp } from './app.ts'
import { dataOf } from './make.ts'

export async function makeModerator(app: TestApp, admin: Actor): Promise<Actor> {
  const user = await app.user()
  dataOf(await admin.put(`/admin/users/${user.id}/permissions`, { permissions: ['moderate'] }))
  return user
}

/** Requests a decision about a content, a comment or another subject. */
export function decide(
  staff: Actor,
  action: string,
  kind: string,
  id: string,
  over: object = {},
): Promise<Answer> {
  const body = { subject: { kind, id }, action, reason: 'Advertising', ...over }
  return staff.post('/admin/decisions', body)
}

export async function makeDecision(...request: Parameters<typeof decide>): Promise<Loose> {
  return dataOf(await decide(...request), 201).decision
}

export function undo(staff: Actor, { id }: { id: string }, body: object = {}): Promise<Answer> {
  return staff.post(`/admin/decisions/${id}/undo`, body)
}
