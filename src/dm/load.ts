/** What the two people of a conversation see of it. */
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
  listMessages,
  listMessagesById,
  type SummaryRow,
} from './queries.ts'
import { type ConversationRecord, type CursorInput, toConversation, toMessage } from './schema.ts'

/** Errors: 404 CONVERSATION_NOT_FOUND, also for someone who takes no part. */
export async function requireConversation(
  db: Handle,
  id: string,
  viewer: Viewer,
): Promise<SummaryRow> {
  const row = await findConversationOf(db, id, viewer.id)
  if (!row) throw new ApiError('CONVERSATION_NOT_FOUND')
  return row
}

/** Errors: 404 CONVERSATION_NOT_FOUND. */
export async function loadConversation(
  db: Handle,
  id: string,
  viewer: Viewer,
): Promise<ConversationRecord> {
  const row = await requireConversation(db, id, viewer)
  const last = await loadLastMessages(db, [row])
  return toConversation(row, last.get(id))
}

/** The last message of each conversation that has one, by the conversation's id. */
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
 * The viewer's conversations by latest activity. The cursor stands for where its conversation is
 * now: it can only have moved up, so a walk may show something again and never skips.
 * Errors: 422 on `before` for what is not in this list.
 */
export async function pageOfConversations(
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
 * Messages of a conversation: the newest page first, oldest first within it.
 * Errors: 404 CONVERSATION_NOT_FOUND; 422 on `before` for what is no message of this conversation.
 */
export async function pageOfMessages(
  db: Handle,
  viewer: Viewer,
  id: string,
  { limit, before }: CursorInput,
) {
  const [conversation, found, isThere] = await Promise.all([
    requireConversation(db, id, viewer),
    listMessages(db, id, before, limit + 1),
    before === undefined || hasMessage(db, id, before),
  ])
  if (!isThere) throw unknownCursor()
  const { rows, next_cursor } = cutPage(found, limit)
  const messages = rows.toReversed().map((row) => toMessage(row, conversation))
  return { messages, next_cursor }
}
