import { between } from '../db/conditions.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { updateRows, addToRows, listColumn } from '../db/rows.ts'
import { floorId } from '../db/ids.ts'
import type { DecisionRow } from '../db/moderation-tables.ts'
import { FALSE, statement } from '../db/statement.ts'
import { BY_CREATOR } from '../threads/schema.ts'

type Span = { userId: string; since: number; until: number; limit: number }

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
 * Returns the ids of up to `limit` subjects that a sweep must still hide: those that the user created between
 * `since` and the decision. Each call returns subjects of one kind, contents first.
 */
export async function listUnswept(
  db: Handle,
  { subject_id: userId, since, created_at: until }: DecisionRow,
  limit: number,
): Promise<string[]> {
  const span = { userId, since: since ?? until, until, limit }
  const created_at = between(span.since, until)
  const hiddenByCreators = {
    author_id: userId,
    is_hidden_by_creator: 1,
    hidden_by: BY_CREATOR,
    created_at,
  } as const
  const written = { author_id: userId, is_deleted: 0, created_at } as const
  for (const list of [
    () =>
      listColumn(
        db,
        'contents',
        'id',
        { creator_id: userId, moderation: null, created_at },
        { limit },
      ),
    () => listColumn(db, 'comments', 'id', written, { limit }),
    () => listColumn(db, 'comments', 'id', hiddenByCreators, { limit }),
    () => listColumn(db, 'posts', 'id', written, { limit }),
  ]) {
    const ids = await list()
    if (ids.length > 0) return ids.sort()
  }
  // The time in a message's id may be earlier than its `created_at`, so the search starts with ids from a day
  // before `since`.
  const first = floorId('msg', Math.max(0, span.since - 86_400_000))
  return (await db.all(messages, { ...span, first })).map(({ id }) => id).sort()
}

export async function listHiddenBy(db: Handle, decisionId: string, limit: number) {
  const first = { by: 'subject_id', limit } as const
  return listColumn(db, 'hidden_subjects', 'subject_id', { decision_id: decisionId }, first)
}

export async function addToAffected(tx: Tx, id: string, by: number): Promise<void> {
  await addToRows(tx, 'decisions', { id }, { affected_count: by })
}

export async function updateStatus(tx: Tx, id: string, status: DecisionRow['status']) {
  await updateRows(tx, 'decisions', { id }, { status })
}
