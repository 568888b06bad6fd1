import { type Static, Type } from 'typebox'
import { iso } from '../clock.ts'
import { toUserRef, UserRef } from '../users/schema.ts'
import type { NotificationType } from '../db/tables.ts'
import { choice, textOrNull, time } from '../http/fields.ts'
import { Pagination } from '../http/page.ts'
import type { MessageKey } from '../messages/en.ts'
import { isMessageKey, type Language, message, type MessageParams } from '../messages/language.ts'
import type { NotificationListRow } from './queries.ts'

type KindOf<Key> = Key extends `notification.${infer Kind}` ? Kind : never

/** The message key without its prefix `notification.`. */
export type NotificationKind = KindOf<MessageKey>

const TYPES: NotificationType[] = ['like', 'comment', 'follow', 'mention', 'system']

const Notification = Type.Object(
  {
    id: Type.String(),
    type: choice(TYPES),
    actor: Type.Union([UserRef, Type.Null()], {
      description: 'User who acted; null when the platform is the sender',
    }),
    message: Type.String({ description: 'In the language of the request' }),
    link: textOrNull({ description: 'Path that the notification links to' }),
    is_read: Type.Boolean(),
    created_at: time(),
  },
  { title: 'Notification' },
)

export const NotificationList = Type.Object({
  notifications: Type.Array(Notification),
  unread_count: Type.Integer({ description: 'Number over all pages' }),
  pagination: Pagination,
})

export const UnreadCount = Type.Object({ unread_count: Type.Integer() })

export const ReadAllInput = Type.Object(
  {
    up_to: Type.Optional(
      Type.String({
        description: 'Id of the newest notification to mark. Without it, all are marked',
      }),
    ),
  },
  { examples: [{ up_to: 'ntf_01jz6q3v8kf5mbt9hw2c4x7d0e' }] },
)

export const ReadAllResult = Type.Object({
  updated: Type.Integer({ description: 'Number of notifications that became read' }),
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
    // During an update, a newer process may store kinds that this version does not know.
    message: isMessageKey(key) ? message(language, key, params) : '',
    link: row.link,
    is_read: isRead(row),
    created_at: iso(row.created_at),
  }
}

export function isRead(row: Pick<NotificationListRow, 'id' | 'is_read' | 'read_up_to'>): boolean {
  return row.is_read === 1 || row.id <= row.read_up_to
}
