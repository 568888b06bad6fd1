import { actOf } from '../audit/rules.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination, offsetOf, paginationOf } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { listAll, listCurrent } from './queries.ts'
import {
  createAnnouncement,
  deleteAnnouncement,
  markAnnouncementRead,
  updateAnnouncement,
} from './rules.ts'
import {
  AnnouncementEdit,
  AnnouncementInput,
  Announcements,
  AnnouncementsQuery,
  LocalAnnouncements,
  OneAnnouncement,
  ReadAnswer,
  toAnnouncement,
  toLocalAnnouncement,
} from './schema.ts'

const tag = 'Site'
const params = { id: { id: 'ann', missing: 'ANNOUNCEMENT_NOT_FOUND' } } as const
const errors = ['ANNOUNCEMENT_NOT_FOUND'] as const
const announcement = {
  id: 'ann_01kahw2q7nf5x9r3d8y6b4c1zs',
  title: { ko: '점검 안내', en: 'Maintenance' },
  body: { ko: null, en: null },
  link: '/pages/maintenance',
  starts_at: '2026-11-21T09:30:00.000Z',
  ends_at: '2026-12-01T00:00:00.000Z',
  created_at: '2026-11-21T09:30:00.000Z',
}

export function registerAnnouncements(api: Api<CoreDeps>): void {
  api.get('/announcements', {
    id: 'listAnnouncements',
    summary: 'List the current announcements, newest first',
    tag,
    auth: 'optional',
    data: Announcements,
    example: {
      announcements: [{ ...announcement, title: '점검 안내', body: '', is_read: false }],
    },
    handler: async ({ db, viewer, language, now }) => ({
      announcements: (await listCurrent(db, viewer?.id ?? null, now)).map((row) =>
        toAnnouncement(row, language),
      ),
    }),
  })

  api.post('/announcements/:id/read', {
    id: 'markAnnouncementRead',
    summary: 'Mark an announcement as read',
    tag,
    auth: 'user',
    params,
    data: ReadAnswer,
    errors,
    example: { id: announcement.id, is_read: true },
    handler: ({ db, viewer, params: { id }, now }) => markAnnouncementRead(db, viewer, id, now),
  })

  api.get('/admin/announcements', {
    id: 'listAllAnnouncements',
    summary: 'List all announcements in both languages, newest first',
    tag,
    auth: 'site',
    query: AnnouncementsQuery,
    indexes: ['announcements'],
    data: LocalAnnouncements,
    example: { announcements: [announcement], pagination: examplePagination },
    handler: async ({ db, query }) => {
      const { announcements, total } = await listAll(db, offsetOf(query))
      return {
        announcements: announcements.map(toLocalAnnouncement),
        pagination: paginationOf(query, total),
      }
    },
  })

  api.post('/admin/announcements', {
    id: 'createAnnouncement',
    summary: 'Create an announcement',
    tag,
    auth: 'site',
    body: AnnouncementInput,
    data: OneAnnouncement,
    status: 201,
    example: { announcement },
    handler: async ({ db, viewer, body, now, requestId }) => ({
      announcement: await createAnnouncement(db, actOf(viewer, requestId), body, now),
    }),
  })

  api.patch('/admin/announcements/:id', {
    id: 'updateAnnouncement',
    summary: 'Change an announcement',
    tag,
    auth: 'site',
    params,
    body: AnnouncementEdit,
    data: OneAnnouncement,
    errors,
    example: { announcement },
    handler: async ({ db, viewer, params: { id }, body, now, requestId }) => ({
      announcement: await updateAnnouncement(db, actOf(viewer, requestId), id, body, now),
    }),
  })

  api.delete('/admin/announcements/:id', {
    id: 'deleteAnnouncement',
    summary: 'Delete an announcement',
    tag,
    auth: 'site',
    params,
    errors,
    handler: ({ db, viewer, params: { id }, now, requestId }) =>
      deleteAnnouncement(db, actOf(viewer, requestId), id, now),
  })
}
