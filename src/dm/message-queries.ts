import { sql } from 'kysely'
import type { ConversationState, MessageRow } from '../db/dm-tables.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { isBlocked } from '../db/user-filters.ts'
import type { Flag } from '../db/flag.ts'
import type { DmPolicy } from '../db/tables.ts'
import type { SummaryRow } from './queries.ts'
import { sendInsert, sendUpdate } from '../db/rows.ts'
import { rawQuery, statement, statementFamily } from '../db/statement.ts'

type Participant = { id: string; userId: string }

const lock = statement((q, p: Participant, dialect) =>
  rawQuery(
    q,
    sql`select id from conversations
      where id = ${p.id} and (user_low = ${p.userId} or user_high = ${p.userId}) ${dialect.lock}`,
  ),
)

/** Locks a conversation until the transaction ends. Does nothing unless the user is a participant. */
export async function lockConversationOf(tx: Tx, id: string, userId: string): Promise<void> {
  await tx.send(lock, { id, userId })
}

/** Data about a conversation for sending a message. `followed_at` is null unless the peer follows the sender. */
export interface Sending
  extends Pick<
    SummaryRow,
    | 'last_message_id'
    | 'updated_at'
    | 'read_up_to'
    | 'peer_read_up_to'
    | 'peer_id'
    | 'peer_is_suspended'
    | 'peer_erased_at'
  > {
  peer_state: ConversationState
  peer_policy: DmPolicy
  is_blocked: Flag
  followed_at: number | null
}

const sending = statement((q, p: Participant) =>
  rawQuery<Sending>(
    q,
    sql`select conversations.last_message_id, mine.updated_at, mine.read_up_to,
        theirs.read_up_to as peer_read_up_to, theirs.state as peer_state, peer.id as peer_id,
        peer.is_suspended as peer_is_suspended, peer.erased_at as peer_erased_at,
        peer.dm_policy as peer_policy, ${isBlocked(p.userId, sql.ref('peer.id'))} as is_blocked,
        (select created_at from follows where creator_id = ${p.userId} and follower_id = peer.id)
          as followed_at
      from conversation_members as mine
      join conversations on conversations.id = mine.conversation_id
      join conversation_members as theirs
        on theirs.conversation_id = mine.conversation_id and theirs.user_id = mine.peer_id
      join users as peer on peer.id = mine.peer_id
      where mine.conversation_id = ${p.id} and mine.user_id = ${p.userId}`,
  ),
)

/** Returns the conversation for sending a message, or undefined when the user is not a participant. */
export function findConversationOfSender(db: Handle, id: string, userId: string) {
  return db.first(sending, { id, userId })
}

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
 * Inserts a message and moves the conversation up in both users' lists. Accepts the conversation for the
 * sender, sets the recipient's state, and increments the recipient's unread count.
 */
export async function insertMessage(
  tx: Tx,
  row: MessageRow,
  peer_state: ConversationState,
): Promise<void> {
  const { id, conversation_id, created_at } = row
  await sendInsert(tx, 'messages', row)
  const latest = { last_message_id: id, updated_at: created_at }
  await sendUpdate(tx, 'conversations', { id: conversation_id }, latest)
  await tx.send(advanceMembers, { ...row, peer_state })
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
