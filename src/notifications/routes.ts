import { Type } from 'typebox'
import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination, offsetOf, PageQuery, paginationOf } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { otherUser } from '../users/example.ts'
import { countUnreadNotifications, listNotifications } from './queries.ts'
import { markAllNotificationsRead, markNotificationRead } from './rules.ts'
import {
  NotificationList,
  ReadAllInput,
  ReadAllResult,
  ReadResult,
  toNotification,
  UnreadCount,
} from './schema.ts'

const tag = 'Notifications'
const EXAMPLE_ID = 'ntf_01jz6q3v8kf5mbt9hw2c4x7d0e'

export function registerNotifications(api: Api<CoreDeps>): void {
  api.get('/notifications', {
    id: 'listNotifications',
    summary: 'List your notifications, newest first. Reading the list marks none as read',
    description: 'Without a session the list is empty.',
    tag,
    auth: 'optional',
    cache: 'private',
    query: Type.Object(PageQuery),
    indexes: ['notifications_by_user'],
    data: NotificationList,
    example: {
      notifications: [
        {
          id: EXAMPLE_ID,
          type: 'like',
          actor: otherUser,
          message: 'Haneul님이 회원님의 작품 “밤의 강”을 좋아해요.',
          link: '/contents/cnt_01jz6q2rb5e6wv3d9m8k4t7x1c',
          is_read: false,
          created_at: '2026-03-01T09:00:00.000Z',
        },
      ],
      unread_count: 1,
      pagination: examplePagination,
    },
    handler: async ({ db, viewer, query, language }) => {
      const { total, unread, listed } = viewer
        ? await listNotifications(db, viewer.id, offsetOf(query))
        : { total: 0, unread: 0, listed: [] }
      return {
        notifications: listed.map((row) => toNotification(row, language)),
        unread_count: unread,
        pagination: paginationOf(query, total),
      }
    },
  })

  api.get('/notifications/unread-count', {
    id: 'countUnreadNotifications',
    summary: 'Count your unread notifications. Suited to polling',
    description: 'Without a session the count is 0.',
    tag,
    auth: 'optional',
    cache: 'private',
    data: UnreadCount,
    example: { unread_count: 1 },
    handler: async ({ db, viewer }) => ({
      unread_count: viewer ? await countUnreadNotifications(db, viewer.id) : 0,
    }),
  })

  api.post('/notifications/read-all', {
    id: 'markAllNotificationsRead',
    summary: 'Mark your notifications as read, all or up to one',
    description:
      'With `up_to`, later notifications stay unread, so a client marks only what it has shown.',
    tag,
    auth: 'user',
    body: Type.Optional(ReadAllInput),
    data: ReadAllResult,
    example: { updated: 3 },
    handler: ({ db, viewer, body }) => markAllNotificationsRead(db, viewer, body.up_to),
  })

  api.post('/notifications/:id/read', {
    id: 'markNotificationRead',
    summary: 'Mark one of your notifications as read',
    tag,
    auth: 'user',
    params: { id: { id: 'ntf', missing: 'NOTIFICATION_NOT_FOUND', only: 'owner' } },
    data: ReadResult,
    errors: ['NOTIFICATION_NOT_FOUND'],
    example: { id: EXAMPLE_ID, is_read: true },
    handler: ({ db, viewer, params }) => markNotificationRead(db, viewer, params.id),
  })
}
