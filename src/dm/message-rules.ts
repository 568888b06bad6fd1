import type { ConversationState } from '../db/dm-tables.ts'
import type { Handle } from '../db/handle.ts'
import { newId, timeOf } from '../db/ids.ts'
import { findRow, updateRows } from '../db/rows.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { spendRate } from '../limits/write-rate.ts'
import {
  findConversationOfSender,
  insertMessage,
  lockConversationOf,
  type Sending,
} from './message-queries.ts'
import { type MessageInput, type MessageRecord, toMessage } from './schema.ts'

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
  conversationId: string,
  { body, client_message_id = null }: MessageInput,
  now: number,
): Promise<MessageRecord> {
  return db.transaction(async (tx) => {
    await lockConversationOf(tx, conversationId, viewer.id)
    const conversation = await findConversationOfSender(tx, conversationId, viewer.id)
    if (!conversation) throw new ApiError('CONVERSATION_NOT_FOUND')
    if (client_message_id !== null) {
      const key = { conversation_id: conversationId, sender_id: viewer.id, client_message_id }
      const sent = await findRow(tx, 'messages', key)
      if (sent && !sent.is_deleted && sent.body !== body) {
        throw invalid('client_message_id', 'invalid.client_message_id')
      }
      if (sent) return toMessage(sent, conversation)
    }
    const peerState = stateForPeer(conversation)
    if (!peerState) throw new ApiError('PEER_UNAVAILABLE')
    await spendRate(tx, viewer, 'talk', now)
    const id = newId('msg', now, conversation.last_message_id)
    const message = {
      id,
      conversation_id: conversationId,
      sender_id: viewer.id,
      body,
      client_message_id,
      is_deleted: 0 as const,
      // Keeps messages in order of time, even when the clock of this process is behind that of another process.
      created_at: Math.max(timeOf(id), conversation.updated_at),
      hidden_by: null,
    }
    await insertMessage(tx, message, peerState)
    return toMessage(message, conversation)
  })
}

/**
 * Returns the recipient's state of the conversation after a message, or undefined when the message is refused.
 * The recipient's policy applies until the recipient accepts the conversation.
 */
function stateForPeer(sending: Sending): ConversationState | undefined {
  const { last_message_id, peer_state, peer_policy, followed_at } = sending
  if (sending.is_blocked || sending.peer_is_suspended) return undefined
  if (sending.peer_erased_at !== null) return undefined
  if (last_message_id !== null && peer_state === 'accepted') return 'accepted'
  if (peer_policy === 'nobody') return undefined
  if (peer_policy === 'everyone' || followed_at !== null) return peer_state
  return peer_policy === 'requests' ? 'request' : undefined
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
