import { sql } from 'kysely'
import type { ConversationState, MessageRow } from '../db/dm-tables.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { type AsParams, FALSE, pickParams, statement, statementFamily } from '../db/statement.ts'

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

const byClientId = statement(
  (q, p: { conversationId: string; senderId: string; clientMessageId: string }) =>
    q
      .selectFrom('messages')
      .selectAll()
      .where('conversation_id', '=', p.conversationId)
      .where('sender_id', '=', p.senderId)
      .where('client_message_id', '=', p.clientMessageId),
)

export function findMessageByClientId(
  db: Handle,
  conversationId: string,
  senderId: string,
  clientMessageId: string,
): Promise<MessageRow | undefined> {
  return db.first(byClientId, { conversationId, senderId, clientMessageId })
}

const inConversation = statement((q, p: { conversationId: string; id: string }) =>
  q
    .selectFrom('messages')
    .select('id')
    .where('id', '=', p.id)
    .where('conversation_id', '=', p.conversationId),
)

export async function hasMessage(db: Handle, conversationId: string, id: string): Promise<boolean> {
  return (await db.first(inConversation, { conversationId, id })) !== undefined
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

const byIds = statement((q, p: { ids: string[] }, dialect) =>
  q.selectFrom('messages').selectAll().where(dialect.anyOf('id', p.ids)),
)

export function listMessagesById(db: Handle, ids: string[]): Promise<MessageRow[]> {
  return db.all(byIds, { ids })
}

const wipe = statement((q, p: { id: string; senderId: string }) =>
  q
    .updateTable('messages')
    .set({ body: '', is_deleted: 1 })
    .where('id', '=', p.id)
    .where('sender_id', '=', p.senderId)
    .where('is_deleted', '=', FALSE),
)

/** Removes the text. Returns false when the sender has no such message or it is already deleted. */
export async function deleteMessageBody(tx: Tx, id: string, senderId: string): Promise<boolean> {
  return (await tx.run(wipe, { id, senderId })) > 0
}
