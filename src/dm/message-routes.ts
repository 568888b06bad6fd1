import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { exampleMessage } from './example.ts'
import { deleteMessage, sendMessage } from './message-rules.ts'
import { MessageInput, OneMessage } from './schema.ts'

const tag = 'Conversations'
const auth = 'user'

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

  api.post('/dm/conversations/:id/messages', {
    id: 'sendMessage',
    summary: 'Send a message',
    tag,
    auth,
    params: { id: { id: 'cnv', missing: 'CONVERSATION_NOT_FOUND', only: 'participants' } },
    body: MessageInput,
    status: 201,
    data: OneMessage,
    errors: ['CONVERSATION_NOT_FOUND', 'PEER_UNAVAILABLE'],
    example: { message: exampleMessage },
    handler: async ({ db, viewer, params, body, now }) => ({
      message: await sendMessage(db, viewer, params.id, body, now),
    }),
  })
}
