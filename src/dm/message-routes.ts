import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { exampleMessage } from './example.ts'
import { listMessages } from './load.ts'
import { deleteMessage, sendMessage } from './message-rules.ts'
import { countUnread } from './queries.ts'
import { markConversationRead } from './rules.ts'
import {
  MessageInput,
  Messages,
  MessagesQuery,
  OneMessage,
  ReadResult,
  UnreadCount,
} from './schema.ts'

const tag = 'Conversations'
const auth = 'user'
const ofConversation = {
  id: { id: 'cnv', missing: 'CONVERSATION_NOT_FOUND', only: 'participants' },
} as const

export function registerMessages(api: Api<CoreDeps>): void {
  api.delete('/dm/messages/:id', {
    id: 'deleteMessage',
    summary: 'Delete the text of your message for both users',
    tag,
    auth,
    params: { id: { id: 'msg', missing: 'MESSAGE_NOT_FOUND', only: 'owner' } },
    errors: ['MESSAGE_NOT_FOUND'],
    handler: ({ db, viewer, params }) => deleteMessage(db, viewer, params.id),
  })

  api.get('/dm/unread-count', {
    id: 'countUnreadMessages',
    summary: 'Count your unread messages and message requests. Suited to polling',
    tag,
    auth,
    data: UnreadCount,
    example: { unread_count: 3, request_count: 1 },
    handler: ({ db, viewer }) => countUnread(db, viewer.id),
  })

  api.get('/dm/conversations/:id/messages', {
    id: 'listMessages',
    summary: 'List messages, the newest page first and oldest first within it',
    tag,
    auth,
    params: ofConversation,
    query: MessagesQuery,
    indexes: ['messages_by_conversation'],
    data: Messages,
    errors: ['CONVERSATION_NOT_FOUND'],
    example: { messages: [exampleMessage], next_cursor: null },
    handler: ({ db, viewer, params, query }) => listMessages(db, viewer, params.id, query),
  })

  api.post('/dm/conversations/:id/messages', {
    id: 'sendMessage',
    summary: 'Send a message',
    tag,
    auth,
    params: ofConversation,
    body: MessageInput,
    status: 201,
    data: OneMessage,
    errors: ['CONVERSATION_NOT_FOUND', 'PEER_UNAVAILABLE'],
    example: { message: exampleMessage },
    handler: async ({ db, viewer, params, body, now }) => ({
      message: await sendMessage(db, viewer, params.id, body, now),
    }),
  })

  api.post('/dm/conversations/:id/read', {
    id: 'markConversationRead',
    summary: 'Mark all messages of a conversation as read',
    tag,
    auth,
    params: ofConversation,
    data: ReadResult,
    errors: ['CONVERSATION_NOT_FOUND'],
    example: { marked_count: 3 },
    handler: async ({ db, viewer, params }) => ({
      marked_count: await markConversationRead(db, viewer, params.id),
    }),
  })
}
