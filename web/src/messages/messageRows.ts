/** Cached messages of a conversation, and their rows. Messages sent in quick succession form a group. */
import type { InfiniteData } from '@tanstack/react-query'
import type { DataOf, Message } from '#sdk'
import { isSameDay } from '../language/dates.ts'
import type { Unsent } from './outbox.ts'

type MessagePage = DataOf<'listMessages'>
/** Pages from newest to oldest. Within a page, messages run from oldest to newest. */
export type MessagePages = InfiniteData<MessagePage, string | undefined>

export function messagesOf(cached: Pick<MessagePages, 'pages'> | undefined): Message[] {
  const byId = new Map<string, Message>()
  for (const page of cached?.pages ?? []) {
    for (const message of page.messages) byId.set(message.id, message)
  }
  return [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

/**
 * Merges the newest page into the cached pages. If messages between them are missing, the newest page replaces the
 * cached pages.
 */
export function withLatest(cached: MessagePages, latest: MessagePage): MessagePages {
  const newest = messagesOf(cached).at(-1)
  const [oldest] = latest.messages
  const isApart = newest && oldest && latest.next_cursor !== null && oldest.id > newest.id
  if (isApart) return { pages: [latest], pageParams: [undefined] }
  return withMessages(cached, latest.messages)
}

/** Updates cached messages and adds new ones to the first page. A message that is marked as read remains read. */
export function withMessages(cached: MessagePages, messages: readonly Message[]): MessagePages {
  const [first, ...older] = cached.pages
  if (!first) return cached
  const given = new Map(messages.map((message) => [message.id, message]))
  const changed = ({ messages: before, ...page }: MessagePage): MessagePage => ({
    ...page,
    messages: before.map((message) => {
      const now = given.get(message.id)
      given.delete(message.id)
      return now ? { ...now, is_read: now.is_read || message.is_read } : message
    }),
  })
  const olderPages = older.map(changed)
  const page = changed(first)
  const merged = [...page.messages, ...given.values()]
  const inOrder = merged.sort((left, right) => (left.id < right.id ? -1 : 1))
  return { ...cached, pages: [{ ...page, messages: inOrder }, ...olderPages] }
}

export function withAllRead(cached: MessagePages, viewerId: string): MessagePages {
  return {
    ...cached,
    pages: cached.pages.map((page) => ({
      ...page,
      messages: page.messages.map((message) =>
        message.sender_id === viewerId ? message : { ...message, is_read: true },
      ),
    })),
  }
}

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
