/** Messages as they are shown: sent and unsent ones in one line, neighbours of one person together. */
import type { Message } from '#sdk'
import { isSameDay } from '../lists/days.ts'
import type { Unsent } from './outbox.ts'

const TOGETHER_MS = 5 * 60_000

export interface Row {
  /** The same before and after the server has it. */
  key: string
  message: Pick<Message, 'sender_id' | 'body' | 'created_at' | 'is_read'>
  /** Where the server does not have it yet. */
  unsent: Unsent | undefined
  created_at: string
  /** The first of what one person said at one time; and the last, which tells the time. */
  isFirst: boolean
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
      isUnreadFrom: message.id === unreadFrom,
    })),
    ...waiting.map((entry) => rowOf(keyOf(entry), { ...entry, is_read: false }, entry)),
  ]
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1]
    row.isFirst = row.isUnreadFrom || !before || !areTogether(before, row)
    if (before) before.isLast = row.isFirst
  }
  return rows
}

/** Each sender names their messages for themselves. */
function keyOf(of: { sender_id: string; client_message_id: string | null; id?: string }): string {
  return `${of.sender_id} ${of.client_message_id ?? of.id}`
}

function rowOf(key: string, message: Row['message'], unsent?: Unsent): Row {
  const { created_at } = message
  return { key, message, unsent, created_at, isFirst: true, isLast: true, isUnreadFrom: false }
}

function areTogether(one: Row, other: Row): boolean {
  const gap = Date.parse(other.created_at) - Date.parse(one.created_at)
  const isSameSender = one.message.sender_id === other.message.sender_id
  return isSameSender && gap < TOGETHER_MS && isSameDay(one.created_at, other.created_at)
}
