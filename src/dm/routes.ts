import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { exampleConversation } from './example.ts'
import { listConversations } from './load.ts'
import { acceptConversation, createConversation, leaveConversation } from './rules.ts'
import { ConversationInput, Conversations, ConversationsQuery, OneConversation } from './schema.ts'

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
}
