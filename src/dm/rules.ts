/**
 * Direct messages. Every function that sends messages or marks them as read first locks the conversation. Both
 * users therefore see the same order of messages, and `unread_count` is exact.
 */
import type { ConversationState } from '../db/dm-tables.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { newId, timeOf } from '../db/ids.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { spendRate } from '../limits/write-rate.ts'
import { findUser, findUserByHandle } from '../users/accounts.ts'
import { keyOf } from '../users/schema.ts'
import { loadConversation, requireConversation } from './load.ts'
import {
  deleteMessageBody,
  findConversationOfSender,
  findMessageByClientId,
  insertMessage,
  lockConversationOf,
  type Sending,
} from './message-queries.ts'
import {
  clearConversation,
  findConversationOfPair,
  insertConversation,
  insertConversationMember,
  lockConversationOfPair,
  type SummaryRow,
  updateAccepted,
  updateListed,
  updateReadMark,
} from './queries.ts'
import {
  type ConversationInput,
  type ConversationRecord,
  type MessageInput,
  type MessageRecord,
  toMessage,
} from './schema.ts'

/**
 * Returns the conversation with a peer and adds it to the viewer's list. Creates it when it does not exist.
 * Errors: 422 on `user_id` or `handle` for the viewer, an unknown user or a suspended user.
 */
export function createConversation(
  db: Handle,
  viewer: Viewer,
  input: ConversationInput,
  now: number,
): Promise<ConversationRecord> {
  return db.transaction(async (tx) => {
    const peerId = await requirePeer(tx, viewer, input)
    const id = await ensureConversation(tx, viewer.id, peerId, now)
    await updateListed(tx, id, viewer.id)
    return loadConversation(tx, id, viewer)
  })
}

async function requirePeer(tx: Tx, viewer: Viewer, input: ConversationInput): Promise<string> {
  const { user_id, handle } = input
  const byId = typeof user_id === 'string'
  const peer = byId ? await findUser(tx, user_id) : await findUserByHandle(tx, keyOf(handle ?? ''))
  const field = byId ? 'user_id' : 'handle'
  if (peer?.id === viewer.id) throw invalid(field, 'invalid.peer_self')
  if (!peer || peer.is_suspended || peer.erased_at !== null) throw invalid(field, 'invalid.peer')
  return peer.id
}

/** Returns the id of the conversation of two users. Creates the conversation when it does not exist. */
async function ensureConversation(
  tx: Tx,
  creatorId: string,
  peerId: string,
  now: number,
): Promise<string> {
  const id = newId('cnv', now)
  const pair = pairOf(creatorId, peerId)
  const times = { created_at: now, updated_at: now }
  if (!(await insertConversation(tx, { id, ...pair, last_message_id: null, ...times }))) {
    const found = await findConversationOfPair(tx, pair)
    if (!found) throw new Error(`the conversation of ${creatorId} and ${peerId} is missing`)
    return found.id
  }
  const participant = {
    conversation_id: id,
    state: 'accepted',
    unread_count: 0,
    read_up_to: '',
    cleared_up_to: '',
    updated_at: now,
  } as const
  const creator = { ...participant, user_id: creatorId, peer_id: peerId, is_listed: 1 as const }
  const peer = { ...participant, user_id: peerId, peer_id: creatorId, is_listed: 0 as const }
  await insertConversationMember(tx, creator)
  await insertConversationMember(tx, peer)
  return id
}

/** Locks the conversation of two users until the transaction ends, if they have one. */
export function lockConversationBetween(tx: Tx, leftId: string, rightId: string): Promise<void> {
  return lockConversationOfPair(tx, pairOf(leftId, rightId))
}

function pairOf(leftId: string, rightId: string) {
  return leftId < rightId
    ? { user_low: leftId, user_high: rightId }
    : { user_low: rightId, user_high: leftId }
}

async function lockConversation(tx: Tx, id: string, viewer: Viewer): Promise<SummaryRow> {
  await lockConversationOf(tx, id, viewer.id)
  return requireConversation(tx, id, viewer)
}

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
      const sent = await findMessageByClientId(tx, conversationId, viewer.id, client_message_id)
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
 * Accepts a conversation request. Does nothing when the conversation is already accepted. Errors: 404
 * CONVERSATION_NOT_FOUND.
 */
export function acceptConversation(
  db: Handle,
  viewer: Viewer,
  id: string,
): Promise<ConversationRecord> {
  return db.transaction(async (tx) => {
    await lockConversation(tx, id, viewer)
    await updateAccepted(tx, id, viewer.id)
    return loadConversation(tx, id, viewer)
  })
}

/**
 * Removes the conversation from the viewer's list until the next message, and hides its existing messages from
 * the viewer. The peer keeps everything. Errors: 404 CONVERSATION_NOT_FOUND.
 */
export function leaveConversation(db: Handle, viewer: Viewer, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    const { last_message_id } = await lockConversation(tx, id, viewer)
    await clearConversation(tx, id, viewer.id, last_message_id ?? '')
  })
}

/**
 * Deletes the text of a message for both users. Errors: 404 MESSAGE_NOT_FOUND when the message is missing,
 * deleted or another user's.
 */
export function deleteMessage(db: Handle, viewer: Viewer, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await deleteMessageBody(tx, id, viewer.id))) throw new ApiError('MESSAGE_NOT_FOUND')
  })
}

/**
 * Marks the conversation as read. Returns the number of messages that were unread. Errors: 404
 * CONVERSATION_NOT_FOUND.
 */
export function markConversationRead(db: Handle, viewer: Viewer, id: string): Promise<number> {
  return db.transaction(async (tx) => {
    const { unread_count, last_message_id } = await lockConversation(tx, id, viewer)
    if (unread_count > 0 && last_message_id !== null) {
      await updateReadMark(tx, id, viewer.id, last_message_id)
    }
    return unread_count
  })
}
