import { type Static, Type } from 'typebox'
import { iso } from '../clock.ts'
import { toUserRef, UserRef } from '../creators/schema.ts'
import type { NotificationType } from '../db/tables.ts'
import { choice, textOrNull, time } from '../http/fields.ts'
import { Pagination } from '../http/page.ts'
import type { MessageKey } from '../messages/en.ts'
import { isMessageKey, type Language, message, type MessageParams } from '../messages/language.ts'
import type { NotificationListRow } from './queries.ts'

type KindOf<Key> = Key extends `notification.${infer Kind}` ? Kind : never

/** What a notification says: what follows `notification.` in the key of its message. */
export type NotificationKind = KindOf<MessageKey>

const TYPES: NotificationType[] = ['like', 'comment', 'follow', 'mention', 'system']

const Notification = Type.Object(
  {
    id: Type.String(),
    type: choice(TYPES),
    actor: Type.Union([UserRef, Type.Null()], {
      description: 'Who acted; null where the platform itself speaks',
    }),
    message: Type.String({ description: 'In the language of the request' }),
    link: textOrNull({ description: 'Path of what it is about' }),
    is_read: Type.Boolean(),
    created_at: time(),
  },
  { title: 'Notification' },
)

export const NotificationList = Type.Object({
  notifications: Type.Array(Notification),
  unread_count: Type.Integer({ description: 'Of all pages' }),
  pagination: Pagination,
})

export const UnreadCount = Type.Object({ unread_count: Type.Integer() })

export const ReadAllInput = Type.Object({
  up_to: Type.Optional(
    Type.String({ description: 'Id of the newest notification to mark; all of them without it' }),
  ),
})

export const ReadAllResult = Type.Object({
  updated: Type.Integer({ description: 'How many became read' }),
})

export const ReadResult = Type.Object({ id: Type.String(), is_read: Type.Boolean() })

export function toNotification(
  row: NotificationListRow,
  language: Language,
): Static<typeof Notification> {
  const params: MessageParams = JSON.parse(row.params)
  if (row.actor_id !== null) params['actor'] = row.display_name
  const { reason } = params
  if (typeof reason === 'string' && isMessageKey(reason))
    params['reason'] = message(language, reason)
  const key = `notification.${row.kind}`
  return {
    id: row.id,
    type: row.type,
    actor: row.actor_id === null ? null : toUserRef({ ...row, id: row.actor_id }),
    // A process of the version before does not know what the next one writes.
    message: isMessageKey(key) ? message(language, key, params) : '',
    link: row.link,
    is_read: isRead(row),
    created_at: iso(row.created_at),
  }
}

/** Read by itself, or with all up to the watermark. */
export function isRead(row: Pick<NotificationListRow, 'id' | 'is_read' | 'read_up_to'>): boolean {
  return row.is_read === 1 || row.id <= row.read_up_to
}
