/**
 * Conversations. Sending a message (`message-rules.ts`) and marking messages as read first lock the conversation. Both
 * users therefore see the same order of messages, and `unread_count` is exact.
 */
import type { Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import { findRow, insertNew, insertRow, sendUpdate, updateRows } from '../db/rows.ts'
import { invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { findUser, findUserByHandle } from '../users/accounts.ts'
import { keyOf } from '../users/schema.ts'
import { loadConversation, requireConversation } from './load.ts'
import { lockConversationOf, lockConversationOfPair, type SummaryRow } from './queries.ts'
import type { ConversationInput, ConversationRecord } from './schema.ts'

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
    await updateRows(tx, 'conversation_members', memberOf(id, viewer), { is_listed: 1 })
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
  const conversation = { id, ...pair, last_message_id: null, ...times }
  if (!(await insertNew(tx, 'conversations', conversation))) {
    const found = await findRow(tx, 'conversations', pair)
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
  await insertRow(tx, 'conversation_members', creator)
  await insertRow(tx, 'conversation_members', peer)
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

const memberOf = (conversation_id: string, { id: user_id }: Viewer) => ({
  conversation_id,
  user_id,
})

async function lockConversation(tx: Tx, id: string, viewer: Viewer): Promise<SummaryRow> {
  await lockConversationOf(tx, id, viewer.id)
  return requireConversation(tx, id, viewer)
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
    await sendUpdate(tx, 'conversation_members', memberOf(id, viewer), { state: 'accepted' })
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
    const cleared_up_to = last_message_id ?? ''
    const cleared = { is_listed: 0, unread_count: 0, cleared_up_to } as const
    await sendUpdate(tx, 'conversation_members', memberOf(id, viewer), cleared)
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
      const read = { unread_count: 0, read_up_to: last_message_id }
      await sendUpdate(tx, 'conversation_members', memberOf(id, viewer), read)
    }
    return unread_count
  })
}
