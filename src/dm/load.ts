import type { Handle } from '../db/handle.ts'
import type { MessageRow } from '../db/dm-tables.ts'
import { hasRow, listRows } from '../db/rows.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { cutPage, unknownCursor } from '../http/page.ts'
import {
  findConversationOf,
  isListed,
  listConversationsOf,
  listMessageRows,
  type SummaryRow,
} from './queries.ts'
import {
  type ConversationRecord,
  type ConversationsInput,
  type CursorInput,
  toConversation,
  toMessage,
} from './schema.ts'

/**
 * Returns a conversation as the viewer sees it. Errors: 404 CONVERSATION_NOT_FOUND, also when the viewer is not a
 * participant.
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

/**
 * Returns the last message of each conversation, by conversation id. Conversations without messages that the
 * viewer can see have no entry.
 */
async function loadLastMessages(
  db: Handle,
  rows: readonly SummaryRow[],
): Promise<Map<string, MessageRow>> {
  const ids = rows.flatMap(({ last_message_id: id, cleared_up_to }) =>
    id !== null && id > cleared_up_to ? [id] : [],
  )
  if (ids.length === 0) return new Map()
  const messages = await listRows(db, 'messages', { id: ids })
  return new Map(messages.map((message) => [message.conversation_id, message]))
}

/**
 * Returns a page of the viewer's conversations, latest activity first. The page starts after the current position of
 * the conversation with the id `before`. Conversations only move up, so a page may repeat entries of earlier pages.
 * Errors: 422 on `before` for a conversation that is not in the list.
 */
export async function listConversations(
  db: Handle,
  viewer: Viewer,
  { limit, before, state }: ConversationsInput,
) {
  const [found, isPlaced] = await Promise.all([
    listConversationsOf(db, { userId: viewer.id, state, below: before, limit: limit + 1 }),
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
 * Returns a page of messages, oldest first. The first page contains the newest messages, each further page older
 * ones.
 * Errors: 404 CONVERSATION_NOT_FOUND; 422 on `before` unless it is a message of this conversation that the viewer can
 * see.
 */
export async function listMessages(
  db: Handle,
  viewer: Viewer,
  id: string,
  { limit, before }: CursorInput,
) {
  const [conversation, found, exists] = await Promise.all([
    requireConversation(db, id, viewer),
    listMessageRows(db, { conversationId: id, userId: viewer.id, before, limit: limit + 1 }),
    before === undefined || hasRow(db, 'messages', { id: before, conversation_id: id }),
  ])
  const isCleared = before !== undefined && before <= conversation.cleared_up_to
  if (!exists || isCleared) throw unknownCursor()
  const { rows, next_cursor } = cutPage(found, limit)
  const messages = rows.toReversed().map((row) => toMessage(row, conversation))
  return { messages, next_cursor }
}
