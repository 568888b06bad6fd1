/** Rows of a conversation. Messages that a user sends in quick succession form a group. */
import type { Message } from '#sdk'
import { isSameDay } from '../language/dates.ts'
import type { Unsent } from './outbox.ts'

const TOGETHER_MS = 5 * 60_000

export interface Row {
  /** React key, which does not change when the server accepts the message. */
  key: string
  message: Pick<Message, 'sender_id' | 'body' | 'is_deleted' | 'created_at' | 'is_read'>
  /** Message as the server stores it. Undefined until the server accepts it. */
  stored: Message | undefined
  unsent: Unsent | undefined
  created_at: string
  /** True for the first message of a group. */
  isFirst: boolean
  /** True for the last message of a group, which shows the time. */
  isLast: boolean
  isUnreadFrom: boolean
}

export function rowsOf(
  messages: readonly Message[],
  unsent: readonly Unsent[],
  unreadFrom: string | undefined,
): Row[] {
  const taken = new Set(messages.map(keyOf))
  const waiting = unsent.filter((entry) => !taken.has(keyOf(entry)))
  const rows: Row[] = [
    ...messages.map((message) => ({
      ...rowOf(keyOf(message), message),
      stored: message,
      isUnreadFrom: message.id === unreadFrom,
    })),
    ...waiting.map((entry) =>
      rowOf(keyOf(entry), { ...entry, is_deleted: false, is_read: false }, entry),
    ),
  ]
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1]
    row.isFirst = row.isUnreadFrom || !before || !areTogether(before, row)
    if (before) before.isLast = row.isFirst
  }
  return rows
}

/** Returns the key of a message. It includes the sender, because client message ids are unique per sender only. */
function keyOf(target: {
  sender_id: string
  client_message_id: string | null
  id?: string
}): string {
  return `${target.sender_id} ${target.client_message_id ?? target.id}`
}

function rowOf(key: string, message: Row['message'], unsent?: Unsent): Row {
  const { created_at } = message
  return {
    key,
    message,
    stored: undefined,
    unsent,
    created_at,
    isFirst: true,
    isLast: true,
    isUnreadFrom: false,
  }
}

function areTogether(before: Row, after: Row): boolean {
  const gap = Date.parse(after.created_at) - Date.parse(before.created_at)
  const isSameSender = before.message.sender_id === after.message.sender_id
  return isSameSender && gap < TOGETHER_MS && isSameDay(before.created_at, after.created_at)
}
