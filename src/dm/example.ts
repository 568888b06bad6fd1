import { otherUser } from '../users/example.ts'

export const exampleMessage = {
  id: 'msg_01kahvnt8wf9hbfwn8xq2m4c6z',
  conversation_id: 'cnv_01kahvm3r5e2ksp4j0t9y7b1dd',
  sender_id: otherUser.id,
  body: 'Your last film was lovely. Is the music yours too?',
  is_deleted: false,
  hidden_by: null,
  is_read: false,
  client_message_id: null,
  created_at: '2026-11-21T09:20:11.000Z',
}

export const exampleConversation = {
  id: exampleMessage.conversation_id,
  peer: otherUser,
  state: 'accepted',
  last_message: exampleMessage,
  unread_count: 1,
  created_at: '2026-11-21T09:18:02.000Z',
  updated_at: '2026-11-21T09:20:11.000Z',
}
