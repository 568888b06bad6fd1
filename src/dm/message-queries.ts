import { sql } from 'kysely'
import type { ConversationState, MessageRow } from '../db/dm-tables.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { isBlocked } from '../db/user-filters.ts'
import { summaries } from './queries.ts'
import { findRow, hasRow, listRows, updateRows } from '../db/rows.ts'
import { type AsParams, pickParams, statement, statementFamily } from '../db/statement.ts'

const lock = statement((q, p: { id: string; userId: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('conversations')
      .select('id')
      .where('id', '=', p.id)
      .where((e) => e.or([e('user_low', '=', p.userId), e('user_high', '=', p.userId)])),
  ),
)

/** Locks nothing unless the user is a participant. */
export async function lockConversationOf(tx: Tx, id: string, userId: string): Promise<void> {
  await tx.send(lock, { id, userId })
}

const ofSender = statement((q, p: { id: string; userId: string }) =>
  summaries(q)
    .select(['theirs.state as peer_state', 'peer.dm_policy as peer_policy'])
    .select(isBlocked(p.userId, sql.ref('peer.id')).as('is_blocked'))
    .select((e) =>
      e
        .selectFrom('follows')
        .select('created_at')
        .where('creator_id', '=', p.userId)
        .whereRef('follower_id', '=', 'peer.id')
        .as('followed_at'),
    )
    .where('mine.conversation_id', '=', p.id)
    .where('mine.user_id', '=', p.userId),
)

/**
 * Like `findConversationOf`, with the conditions for sending a message. `followed_at` is null unless the peer
 * follows the sender.
 */
export function findConversationOfSender(db: Handle, id: string, userId: string) {
  return db.first(ofSender, { id, userId })
}

const insertOne = statement((q, p: AsParams<MessageRow>) =>
  q
    .insertInto('messages')
    .values(
      pickParams(p, [
        'id',
        'conversation_id',
        'sender_id',
        'body',
        'client_message_id',
        'is_deleted',
        'created_at',
      ]),
    ),
)
const advance = statement((q, p: { conversation_id: string; id: string; created_at: number }) =>
  q
    .updateTable('conversations')
    .set({ last_message_id: p.id, updated_at: p.created_at })
    .where('id', '=', p.conversation_id),
)
const advanceMembers = statement(
  (
    q,
    p: {
      conversation_id: string
      sender_id: string
      created_at: number
      peer_state: ConversationState
    },
  ) =>
    q
      .updateTable('conversation_members')
      .set({
        is_listed: 1,
        updated_at: p.created_at,
        state: sql<ConversationState>`case when user_id = ${p.sender_id} then 'accepted'
          else cast(${p.peer_state} as text) end`,
        unread_count: sql<number>`unread_count + case when user_id = ${p.sender_id} then 0 else 1 end`,
      })
      .where('conversation_id', '=', p.conversation_id),
)

/**
 * Inserts a message. Moves the conversation up in both users' lists, accepts it for the sender, sets its state
 * for the recipient, and increments the recipient's unread count.
 */
export async function insertMessage(
  tx: Tx,
  row: MessageRow,
  peer_state: ConversationState,
): Promise<void> {
  await tx.send(insertOne, { ...row })
  await tx.send(advance, { ...row })
  await tx.send(advanceMembers, { ...row, peer_state })
}

export function findMessageByClientId(
  db: Handle,
  conversationId: string,
  senderId: string,
  clientMessageId: string,
): Promise<MessageRow | undefined> {
  return findRow(db, 'messages', {
    conversation_id: conversationId,
    sender_id: senderId,
    client_message_id: clientMessageId,
  })
}

export async function hasMessage(db: Handle, conversationId: string, id: string): Promise<boolean> {
  return hasRow(db, 'messages', { id, conversation_id: conversationId })
}

const newest = statementFamily(({ before }: { before: boolean }) =>
  statement((q, p: { conversationId: string; userId: string; before: string; limit: number }) =>
    q
      .selectFrom('messages')
      .selectAll()
      .where('conversation_id', '=', p.conversationId)
      .where('id', '>', (e) =>
        e
          .selectFrom('conversation_members')
          .select('cleared_up_to')
          .where('conversation_members.conversation_id', '=', p.conversationId)
          .where('user_id', '=', p.userId),
      )
      .$if(before, (rows) => rows.where('id', '<', p.before))
      .orderBy('id', 'desc')
      .limit(p.limit),
  ),
)

export function listMessageRows(
  db: Handle,
  {
    before,
    ...span
  }: { conversationId: string; userId: string; before: string | undefined; limit: number },
): Promise<MessageRow[]> {
  const page = newest({ before: before !== undefined })
  return db.all(page, { ...span, before: before ?? '' })
}

export function listMessagesById(db: Handle, ids: string[]): Promise<MessageRow[]> {
  return listRows(db, 'messages', { id: ids })
}

/** Removes the text. Returns false when the sender has no such message or it is already deleted. */
export async function deleteMessageBody(tx: Tx, id: string, senderId: string): Promise<boolean> {
  return (
    (await updateRows(
      tx,
      'messages',
      { id, sender_id: senderId, is_deleted: 0 },
      { body: '', is_deleted: 1 },
    )) > 0
  )
}
