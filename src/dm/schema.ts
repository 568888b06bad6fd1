import { type Static, Type } from 'typebox'
import { iso } from '../clock.ts'
import { toUserRef, UserRef } from '../users/schema.ts'
import { CONVERSATION_STATES, type MessageRow } from '../db/dm-tables.ts'
import { oneRequired } from '../errors.ts'
import { checked, choice, textOrNull, time } from '../http/fields.ts'
import { cursorQuery, NextCursor } from '../http/page.ts'
import { HiddenBy, toHiddenBy } from '../threads/schema.ts'
import type { SummaryRow } from './queries.ts'

export const MESSAGE_MAX = 2000

const Message = Type.Object(
  {
    id: Type.String(),
    conversation_id: Type.String(),
    sender_id: Type.String(),
    body: Type.String({ description: 'Empty when deleted' }),
    is_deleted: Type.Boolean({ description: 'True when only its place is left' }),
    hidden_by: HiddenBy,
    is_read: Type.Boolean({ description: 'True when the recipient has read it' }),
    client_message_id: textOrNull(),
    created_at: time(),
  },
  { title: 'Message' },
)
export type MessageRecord = Static<typeof Message>

const Conversation = Type.Object(
  {
    id: Type.String(),
    peer: UserRef,
    state: choice(CONVERSATION_STATES, {
      description:
        '`request` until you accept the conversation or reply; always `accepted` for its first sender',
    }),
    last_message: Type.Union([Message, Type.Null()]),
    unread_count: Type.Integer({
      description: 'Messages from the peer that the viewer has not read',
    }),
    created_at: time(),
    updated_at: time({ description: 'Latest activity' }),
  },
  { title: 'Conversation' },
)
export type ConversationRecord = Static<typeof Conversation>

export const ConversationInput = checked(
  Type.Object(
    {
      user_id: Type.Optional(textOrNull({ maxLength: 100, description: 'Id of the peer' })),
      handle: Type.Optional(
        textOrNull({
          maxLength: 100,
          description: 'Handle of the peer, when `user_id` is missing',
        }),
      ),
    },
    { examples: [{ handle: 'haneul' }] },
  ),
  ({ user_id, handle }, problems) => {
    if ((user_id ?? handle ?? null) === null) problems.push(...oneRequired('user_id', 'handle'))
  },
)
export type ConversationInput = Static<typeof ConversationInput>

export const MessageInput = Type.Object(
  {
    body: Type.String({ minLength: 1, maxLength: MESSAGE_MAX }),
    client_message_id: Type.Optional(
      textOrNull({
        minLength: 1,
        maxLength: 100,
        description: 'Makes retries safe: the same id with the same text is stored once',
      }),
    ),
  },
  { examples: [{ body: 'Your last film was lovely. Is the music yours too?' }] },
)
export type MessageInput = Static<typeof MessageInput>

export const ConversationsQuery = Type.Object({
  ...cursorQuery(20),
  state: choice(CONVERSATION_STATES, {
    default: 'accepted',
    description: '`request`: only conversations that you have not accepted',
  }),
})
export type ConversationsInput = Static<typeof ConversationsQuery>
export const MessagesQuery = Type.Object(cursorQuery(50))
export type CursorInput = Static<typeof MessagesQuery>

export const OneConversation = Type.Object({ conversation: Conversation })
export const OneMessage = Type.Object({ message: Message })
export const Conversations = Type.Object({
  conversations: Type.Array(Conversation),
  next_cursor: NextCursor,
})
export const Messages = Type.Object({
  messages: Type.Array(Message),
  next_cursor: NextCursor,
})
export const UnreadCount = Type.Object({
  unread_count: Type.Integer({ description: 'Unread messages in accepted conversations' }),
  request_count: Type.Integer({ description: 'Conversations in the state `request`' }),
})
export const ReadResult = Type.Object({
  marked_count: Type.Integer({ description: 'Number of messages that became read' }),
})

export type ReadMarks = Pick<SummaryRow, 'peer_id' | 'read_up_to' | 'peer_read_up_to'>

export function toMessage(row: MessageRow, marks: ReadMarks): MessageRecord {
  const { id, conversation_id, sender_id, client_message_id } = row
  const hidden_by = toHiddenBy(row)
  const recipientsMark = sender_id === marks.peer_id ? marks.read_up_to : marks.peer_read_up_to
  return {
    id,
    conversation_id,
    sender_id,
    body: hidden_by ? '' : row.body,
    is_deleted: row.is_deleted === 1 || hidden_by !== null,
    hidden_by,
    is_read: id <= recipientsMark,
    client_message_id,
    created_at: iso(row.created_at),
  }
}

export function toConversation(
  row: SummaryRow,
  lastMessage: MessageRow | undefined,
): ConversationRecord {
  return {
    id: row.id,
    peer: toUserRef({
      id: row.peer_id,
      handle: row.peer_handle,
      display_name: row.peer_display_name,
      avatar_url: row.peer_avatar_url,
      avatar_sizes: row.peer_avatar_sizes,
    }),
    state: row.state,
    last_message: lastMessage ? toMessage(lastMessage, row) : null,
    unread_count: row.unread_count,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
