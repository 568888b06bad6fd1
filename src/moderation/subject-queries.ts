import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows, insertNew, listColumn, hasRow, findRow } from '../db/rows.ts'
import type { SubjectKind } from '../db/moderation-tables.ts'
import { isOpenTo } from '../db/visibility.ts'
import { statement } from '../db/statement.ts'
import { ERASED_OWNER } from '../users/tombstones.ts'

export interface SubjectRow {
  user_id: string
  /** Title, text or display name of the subject, also while it is hidden. */
  text: string
  /** 1 while the viewer (for a message, the participants) may see the subject. */
  is_shown: number
  /**
   * 1 while the subject is hidden by a decision or (only comments) by the creator of the content. For a user: 1
   * while suspended.
   */
  is_hidden: number
}

const flag = (isSet: boolean): number => (isSet ? 1 : 0)

const contents = statement((q, p: { id: string; viewerId: string }) =>
  q
    .selectFrom('contents')
    .innerJoin('content_stats as stats', 'stats.content_id', 'contents.id')
    .select([
      'contents.creator_id as user_id',
      'contents.title as text',
      'contents.status',
      'contents.moderation',
    ])
    .select(isOpenTo(p.viewerId, 'stats').as('is_open'))
    .where('contents.id', '=', p.id),
)

const comments = statement((q, p: { id: string; viewerId: string }) =>
  q
    .selectFrom('comments')
    .innerJoin('content_stats as stats', 'stats.content_id', 'comments.content_id')
    .select([
      'comments.author_id as user_id',
      'comments.body',
      'comments.hidden_body',
      'comments.is_deleted',
    ])
    .select(isOpenTo(p.viewerId, 'stats').as('is_open'))
    .where('comments.id', '=', p.id),
)

const shownText = (row: { body: string; hidden_body: string | null; is_deleted: number }) => ({
  text: row.hidden_body ?? row.body,
  is_hidden: flag(row.hidden_body !== null),
  is_shown: flag(row.is_deleted === 0),
})

/**
 * Returns a subject, even while it is hidden. Returns undefined when it is unknown, erased or deleted, and for
 * drafts and contents in conversion. `is_shown` applies to the user `viewerId`, or to anonymous viewers when
 * `viewerId` is empty.
 */
export async function findSubjectRow(
  db: Handle,
  kind: SubjectKind,
  id: string,
  viewerId = '',
): Promise<SubjectRow | undefined> {
  if (kind === 'content') {
    const row = await db.first(contents, { id, viewerId })
    if (!row || row.user_id === ERASED_OWNER) return undefined
    if (row.status === 'draft' || row.status === 'processing') return undefined
    return {
      ...row,
      is_shown: flag(Boolean(row.is_open)),
      is_hidden: flag(row.moderation !== null),
    }
  }
  if (kind === 'comment') {
    const row = await db.first(comments, { id, viewerId })
    if (!row) return undefined
    const state = shownText(row)
    const isGone = state.is_shown === 0 && state.is_hidden === 0
    return isGone
      ? undefined
      : { ...state, user_id: row.user_id, is_shown: state.is_shown * flag(Boolean(row.is_open)) }
  }
  if (kind === 'post') {
    const row = await findRow(db, 'posts', { id })
    if (!row) return undefined
    const state = shownText(row)
    return state.is_shown || state.is_hidden ? { ...state, user_id: row.author_id } : undefined
  }
  if (kind === 'message') {
    const row = await findRow(db, 'messages', { id })
    if (!row || row.is_deleted) return undefined
    const is_hidden = flag(row.hidden_by !== null)
    return { user_id: row.sender_id, text: row.body, is_hidden, is_shown: 1 - is_hidden }
  }
  const row = await findRow(db, 'users', { id })
  if (!row) return undefined
  const { display_name: text, is_suspended: is_hidden } = row
  return { user_id: id, text, is_hidden, is_shown: 1 - is_hidden }
}

const ownerOf = statement((q, p: { id: string }) =>
  q
    .selectFrom('contents')
    .select('creator_id as user_id')
    .where('id', '=', p.id)
    .unionAll(q.selectFrom('comments').select('author_id as user_id').where('id', '=', p.id))
    .unionAll(q.selectFrom('posts').select('author_id as user_id').where('id', '=', p.id))
    .unionAll(q.selectFrom('messages').select('sender_id as user_id').where('id', '=', p.id))
    .unionAll(q.selectFrom('users').select('id as user_id').where('id', '=', p.id)),
)

/**
 * Returns the id of a subject's author. For a user, returns the id itself. Finds deleted subjects too. Returns
 * undefined for an unknown id.
 */
export async function findOwner(db: Handle, id: string): Promise<string | undefined> {
  return (await db.first(ownerOf, { id }))?.user_id
}

const messageOf = statement((q, p: { id: string; userId: string }) =>
  q
    .selectFrom('messages')
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'messages.conversation_id')
    .selectAll('messages')
    .where('messages.id', '=', p.id)
    .where('mine.user_id', '=', p.userId),
)

/** Returns a message, or undefined when the user does not take part in its conversation. */
export function findMessageOf(db: Handle, id: string, userId: string) {
  return db.first(messageOf, { id, userId })
}

const lockMessage = statement((q, p: { id: string }, dialect) =>
  dialect.locked(q.selectFrom('messages').select('id').where('id', '=', p.id)),
)

export async function lockMessageRow(tx: Tx, id: string): Promise<void> {
  await tx.send(lockMessage, { id })
}

const hiders = statement((q, p: { subjectId: string }) =>
  q
    .selectFrom('hidden_subjects')
    .innerJoin('decisions', 'decisions.id', 'hidden_subjects.decision_id')
    .select(['decisions.id', 'decisions.reason', 'decisions.rule_id', 'decisions.rule_text'])
    .where('hidden_subjects.subject_id', '=', p.subjectId)
    .orderBy('decisions.id', 'desc')
    .limit(1),
)

/** Returns the latest decision that hides a subject, or undefined. */
export function findHider(tx: Tx, subjectId: string) {
  return tx.first(hiders, { subjectId })
}

export async function insertHider(tx: Tx, subjectId: string, decisionId: string): Promise<void> {
  await insertNew(tx, 'hidden_subjects', { subject_id: subjectId, decision_id: decisionId })
}

export async function deleteHider(tx: Tx, subjectId: string, decisionId: string): Promise<void> {
  await deleteRows(tx, 'hidden_subjects', { subject_id: subjectId, decision_id: decisionId })
}

export function isAnyAdmin(db: Handle, ids: string[]): Promise<boolean> {
  return hasRow(db, 'users', { id: ids, role: 'admin' })
}

/** Returns the given user ids without those of suspended users. */
export async function listActive(db: Handle, ids: string[]): Promise<string[]> {
  return listColumn(db, 'users', 'id', { id: ids, is_suspended: 0 })
}
