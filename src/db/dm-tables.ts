import type { Flag } from './flag.ts'

export interface ConversationRow {
  id: string
  /** The smaller of the two user ids. Each pair of users has one row. */
  user_low: string
  user_high: string
  last_message_id: string | null
  created_at: number
  updated_at: number
}

/**
 * States of a conversation for one of its users. `request`: the user has neither accepted the conversation nor
 * replied.
 */
export const CONVERSATION_STATES = ['accepted', 'request'] as const
export type ConversationState = (typeof CONVERSATION_STATES)[number]

export interface ConversationMemberRow {
  conversation_id: string
  user_id: string
  peer_id: string
  /**
   * 1 while the user's list contains the conversation. Before the first message, only the list of the
   * conversation's creator contains it. After a user leaves the conversation, the next message sets 1 again.
   */
  is_listed: Flag
  state: ConversationState
  /** Number of messages from the other user after `read_up_to` and `cleared_up_to`. */
  unread_count: number
  /** Id of the last message that this user has read; empty before the first. */
  read_up_to: string
  /**
   * Id of the last message before the user left the conversation. The user sees only later messages. Empty until
   * the user leaves.
   */
  cleared_up_to: string
  /** Time of the latest activity in the conversation. Stored here too, so that an index can sort the list. */
  updated_at: number
}

export interface MessageRow {
  id: string
  conversation_id: string
  sender_id: string
  /** Empty when deleted. */
  body: string
  client_message_id: string | null
  is_deleted: Flag
  created_at: number
  /** Id of the decision that hides the message, or null. */
  hidden_by: string | null
}
