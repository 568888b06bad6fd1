import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { exampleConversation, exampleMessage } from './example.ts'
import { listConversations, listMessages } from './load.ts'
import { countUnread } from './queries.ts'
import {
  acceptConversation,
  createConversation,
  leaveConversation,
  markConversationRead,
} from './rules.ts'
import {
  ConversationInput,
  Conversations,
  ConversationsQuery,
  Messages,
  MessagesQuery,
  OneConversation,
  ReadResult,
  UnreadCount,
} from './schema.ts'

const tag = 'Conversations'
const auth = 'user'
const ofConversation = {
  id: { id: 'cnv', missing: 'CONVERSATION_NOT_FOUND', only: 'participants' },
} as const

export function registerConversations(api: Api<CoreDeps>): void {
  api.get('/dm/conversations', {
    id: 'listConversations',
    summary: 'List your conversations by latest activity',
    description:
      'An empty conversation is listed only for users who opened it. A conversation that moves while you page may appear twice; none is skipped.',
    tag,
    auth,
    query: ConversationsQuery,
    indexes: ['conversation_members_latest'],
    data: Conversations,
    example: { conversations: [exampleConversation], next_cursor: null },
    handler: ({ db, viewer, query }) => listConversations(db, viewer, query),
  })

  api.post('/dm/conversations', {
    id: 'createConversation',
    summary: 'Open the conversation with a user',
    description:
      'Two users share one conversation. If it exists, it is returned. `user_id` takes precedence over `handle`.',
    tag,
    auth,
    body: ConversationInput,
    status: 201,
    data: OneConversation,
    example: { conversation: { ...exampleConversation, last_message: null, unread_count: 0 } },
    handler: async ({ db, viewer, body, now }) => ({
      conversation: await createConversation(db, viewer, body, now),
    }),
  })

  api.post('/dm/conversations/:id/accept', {
    id: 'acceptConversation',
    summary: 'Accept a message request; does nothing when accepted',
    tag,
    auth,
    params: ofConversation,
    data: OneConversation,
    errors: ['CONVERSATION_NOT_FOUND'],
    example: { conversation: exampleConversation },
    handler: async ({ db, viewer, params }) => ({
      conversation: await acceptConversation(db, viewer, params.id),
    }),
  })

  api.delete('/dm/conversations/:id', {
    id: 'leaveConversation',
    summary: 'Remove a conversation and its messages from your list only',
    description:
      'It comes back with the next message, without the earlier ones. The other user keeps everything.',
    tag,
    auth,
    params: ofConversation,
    errors: ['CONVERSATION_NOT_FOUND'],
    handler: ({ db, viewer, params }) => leaveConversation(db, viewer, params.id),
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

  api.get('/dm/unread-count', {
    id: 'countUnreadMessages',
    summary: 'Count your unread messages and message requests. Suited to polling',
    tag,
    auth,
    data: UnreadCount,
    example: { unread_count: 3, request_count: 1 },
    handler: ({ db, viewer }) => countUnread(db, viewer.id),
  })
}
