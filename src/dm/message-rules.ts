import { sql } from 'kysely'
import type { ConversationState, MessageRow } from '../db/dm-tables.ts'
import type { Handle } from '../db/handle.ts'
import { newId, timeOf } from '../db/ids.ts'
import { findRow, sendInsert, sendUpdate, updateRows } from '../db/rows.ts'
import { type AsParams, rawQuery, statement } from '../db/statement.ts'
import { isBlocked } from '../db/user-filters.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { spendRate } from '../limits/write-rate.ts'
import { lockConversationOf, type Participant } from './queries.ts'
import { type MessageInput, type MessageRecord, type ReadMarks, toMessage } from './schema.ts'

interface Sending extends ReadMarks {
  last_message_id: string | null
  updated_at: number
  /** The peer's state of the conversation after the message. Null when the peer cannot receive it. */
  peer_state: ConversationState | null
}

// The peer's policy applies until the peer accepts the conversation.
const sending = statement((q, p: Participant) =>
  rawQuery<Sending>(
    q,
    sql`select conversations.last_message_id, mine.updated_at, mine.read_up_to,
        theirs.read_up_to as peer_read_up_to, peer.id as peer_id,
        case
          when peer.is_suspended = 1 or peer.erased_at is not null
            or ${isBlocked(p.userId, sql.ref('peer.id'))} = 1 then null
          when conversations.last_message_id is not null and theirs.state = 'accepted' then 'accepted'
          when peer.dm_policy = 'nobody' then null
          when peer.dm_policy = 'everyone' or exists (select 1 from follows
            where creator_id = ${p.userId} and follower_id = peer.id) then theirs.state
          when peer.dm_policy = 'requests' then 'request'
        end as peer_state
      from conversation_members as mine
      join conversations on conversations.id = mine.conversation_id
      join conversation_members as theirs
        on theirs.conversation_id = mine.conversation_id and theirs.user_id = mine.peer_id
      join users as peer on peer.id = mine.peer_id
      where mine.conversation_id = ${p.id} and mine.user_id = ${p.userId}`,
  ),
)

// Accepts the conversation for the sender, and moves it up in both users' lists.
const advanceMembers = statement((q, p: AsParams<MessageRow> & { peer_state: ConversationState }) =>
  rawQuery(
    q,
    sql`update conversation_members set is_listed = 1, updated_at = ${p.created_at},
        state = case when user_id = ${p.sender_id} then 'accepted'
          else cast(${p.peer_state} as text) end,
        unread_count = unread_count + case when user_id = ${p.sender_id} then 0 else 1 end
      where conversation_id = ${p.conversation_id}`,
  ),
)

/**
 * Sends a message, or returns the message already sent with the same `client_message_id`. Errors:
 * - 404 CONVERSATION_NOT_FOUND.
 * - 409 PEER_UNAVAILABLE when one user blocks the other, the peer is suspended or erased, or the peer's policy
 *   refuses the message.
 * - 422 on `client_message_id` when it was used with another text.
 * - 429 RATE_LIMITED.
 */
export function sendMessage(
  db: Handle,
  viewer: Viewer,
  conversation_id: string,
  { body, client_message_id = null }: MessageInput,
  now: number,
): Promise<MessageRecord> {
  return db.transaction(async (tx) => {
    await lockConversationOf(tx, conversation_id, viewer.id)
    const conversation = await tx.first(sending, { id: conversation_id, userId: viewer.id })
    if (!conversation) throw new ApiError('CONVERSATION_NOT_FOUND')
    if (client_message_id !== null) {
      const key = { conversation_id, sender_id: viewer.id, client_message_id }
      const sent = await findRow(tx, 'messages', key)
      if (sent && !sent.is_deleted && sent.body !== body) {
        throw invalid('client_message_id', 'invalid.client_message_id')
      }
      if (sent) return toMessage(sent, conversation)
    }
    const { last_message_id, updated_at, peer_state } = conversation
    if (!peer_state) throw new ApiError('PEER_UNAVAILABLE')
    await spendRate(tx, viewer, 'talk', now)
    const id = newId('msg', now, last_message_id)
    // Keeps messages in order of time, even when the clock of this process is behind that of another process.
    const created_at = Math.max(timeOf(id), updated_at)
    const state = { is_deleted: 0, hidden_by: null } as const
    const sender_id = viewer.id
    const message = {
      id,
      conversation_id,
      sender_id,
      body,
      client_message_id,
      ...state,
      created_at,
    }
    await sendInsert(tx, 'messages', message)
    const latest = { last_message_id: id, updated_at: created_at }
    await sendUpdate(tx, 'conversations', { id: conversation_id }, latest)
    await tx.send(advanceMembers, { ...message, peer_state })
    return toMessage(message, conversation)
  })
}

/**
 * Deletes the text of a message for both users. Errors: 404 MESSAGE_NOT_FOUND when the message is missing,
 * deleted or another user's.
 */
export function deleteMessage(db: Handle, viewer: Viewer, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    const own = { id, sender_id: viewer.id, is_deleted: 0 } as const
    const deleted = await updateRows(tx, 'messages', own, { body: '', is_deleted: 1 })
    if (deleted === 0) throw new ApiError('MESSAGE_NOT_FOUND')
  })
}
