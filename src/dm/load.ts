/** Loads conversations and messages as one of the two participants sees them. */
import type { Handle } from '../db/handle.ts'
import type { MessageRow } from '../db/tables.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { cutPage, unknownCursor } from '../http/page.ts'
import {
  findConversationOf,
  hasMessage,
  isListed,
  listConversationsOf,
  listMessageRows,
  listMessagesById,
  type SummaryRow,
} from './queries.ts'
import { type ConversationRecord, type CursorInput, toConversation, toMessage } from './schema.ts'

/**
 * Returns the conversation. Errors: 404 CONVERSATION_NOT_FOUND, also for viewers who are not participants.
 */
export async function requireConversation(
  db: Handle,
  id: string,
  viewer: Viewer,
): Promise<SummaryRow> {
  const row = await findConversationOf(db, id, viewer.id)
  if (!row) throw new ApiError('CONVERSATION_NOT_FOUND')
  return row
}

/** Returns the record of a conversation. Errors: 404 CONVERSATION_NOT_FOUND. */
export async function loadConversation(
  db: Handle,
  id: string,
  viewer: Viewer,
): Promise<ConversationRecord> {
  const row = await requireConversation(db, id, viewer)
  const last = await loadLastMessages(db, [row])
  return toConversation(row, last.get(id))
}

/** Returns the last messages by conversation id. Empty conversations are missing. */
async function loadLastMessages(
  db: Handle,
  rows: readonly SummaryRow[],
): Promise<Map<string, MessageRow>> {
  const ids = rows.flatMap(({ last_message_id }) => last_message_id ?? [])
  if (ids.length === 0) return new Map()
  const messages = await listMessagesById(db, ids)
  return new Map(messages.map((message) => [message.conversation_id, message]))
}

/**
 * Returns a page of the viewer's conversations by latest activity. The cursor is a conversation and means
 * its current position. It can only move up, so paging may repeat entries but never skips one. Errors: 422
 * on `before` for a conversation that is not in the list.
 */
export async function listConversations(
  db: Handle,
  viewer: Viewer,
  { limit, before }: CursorInput,
) {
  const [found, isPlaced] = await Promise.all([
    listConversationsOf(db, viewer.id, before, limit + 1),
    before === undefined || isListed(db, before, viewer.id),
  ])
  if (!isPlaced) throw unknownCursor()
  const { rows, next_cursor } = cutPage(found, limit)
  const last = await loadLastMessages(db, rows)
  return {
    conversations: rows.map((row) => toConversation(row, last.get(row.id))),
    next_cursor,
  }
}

/**
 * Returns a page of messages: the newest page first, oldest first within it. Errors: 404
 * CONVERSATION_NOT_FOUND; 422 on `before` unless it is a message of this conversation.
 */
export async function listMessages(
  db: Handle,
  viewer: Viewer,
  id: string,
  { limit, before }: CursorInput,
) {
  const [conversation, found, exists] = await Promise.all([
    requireConversation(db, id, viewer),
    listMessageRows(db, id, before, limit + 1),
    before === undefined || hasMessage(db, id, before),
  ])
  if (!exists) throw unknownCursor()
  const { rows, next_cursor } = cutPage(found, limit)
  const messages = rows.toReversed().map((row) => toMessage(row, conversation))
  return { messages, next_cursor }
}
