import type { Handle, Tx } from '../db/handle.ts'
import { floorId } from '../db/ids.ts'
import type { DecisionRow } from '../db/moderation-tables.ts'
import { FALSE, statement } from '../db/statement.ts'

type Span = { userId: string; since: number; until: number; limit: number }

const contents = statement((q, p: Span) =>
  q
    .selectFrom('contents')
    .select('id')
    .where('creator_id', '=', p.userId)
    .where('moderation', 'is', null)
    .where('created_at', '>=', p.since)
    .where('created_at', '<=', p.until)
    .limit(p.limit),
)
const comments = statement((q, p: Span) =>
  q
    .selectFrom('comments')
    .select('id')
    .where('author_id', '=', p.userId)
    .where('is_deleted', '=', FALSE)
    .where('created_at', '>=', p.since)
    .where('created_at', '<=', p.until)
    .limit(p.limit),
)
const posts = statement((q, p: Span) =>
  q
    .selectFrom('posts')
    .select('id')
    .where('author_id', '=', p.userId)
    .where('is_deleted', '=', FALSE)
    .where('created_at', '>=', p.since)
    .where('created_at', '<=', p.until)
    .limit(p.limit),
)
const messages = statement((q, p: Span & { first: string }) =>
  q
    .selectFrom('conversation_members as mine')
    .innerJoin('messages', 'messages.conversation_id', 'mine.conversation_id')
    .select('messages.id')
    .where('mine.user_id', '=', p.userId)
    .where('messages.sender_id', '=', p.userId)
    .where('messages.id', '>=', p.first)
    .where('messages.is_deleted', '=', FALSE)
    .where('messages.hidden_by', 'is', null)
    .where('messages.created_at', '>=', p.since)
    .where('messages.created_at', '<=', p.until)
    .limit(p.limit),
)

/**
 * Returns the ids of up to `limit` subjects of a user that were created in the time of a sweep, and that no
 * decision hides. All are of one kind; contents come first.
 */
export async function listUnswept(
  db: Handle,
  { subject_id: userId, since, created_at: until }: DecisionRow,
  limit: number,
): Promise<string[]> {
  const span = { userId, since: since ?? until, until, limit }
  for (const rows of [contents, comments, posts]) {
    const found = await db.all(rows, span)
    if (found.length > 0) return found.map(({ id }) => id).sort()
  }
  // The time in an id may be earlier than that of the row.
  const first = floorId('msg', Math.max(0, span.since - 86_400_000))
  return (await db.all(messages, { ...span, first })).map(({ id }) => id).sort()
}

const hidden = statement((q, p: { decisionId: string; limit: number }) =>
  q
    .selectFrom('hidden_subjects')
    .select('subject_id')
    .where('decision_id', '=', p.decisionId)
    .orderBy('subject_id')
    .limit(p.limit),
)

export async function listHiddenBy(db: Handle, decisionId: string, limit: number) {
  return (await db.all(hidden, { decisionId, limit })).map(({ subject_id }) => subject_id)
}

const count = statement((q, p: { id: string; by: number }) =>
  q
    .updateTable('decisions')
    .set((e) => ({ affected_count: e('affected_count', '+', p.by) }))
    .where('id', '=', p.id),
)

export async function addToAffected(tx: Tx, id: string, by: number): Promise<void> {
  await tx.run(count, { id, by })
}

const setStatus = statement((q, p: { id: string; status: DecisionRow['status'] }) =>
  q.updateTable('decisions').set({ status: p.status }).where('id', '=', p.id),
)

export async function updateStatus(tx: Tx, id: string, status: DecisionRow['status']) {
  await tx.run(setStatus, { id, status })
}
