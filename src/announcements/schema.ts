import { type Static, Type } from 'typebox'
import { iso, isoOrNull } from '../clock.ts'
import type { AnnouncementRow } from '../db/site-tables.ts'
import type { Problem } from '../errors.ts'
import { checked, textOrNull, time, timeOrNull } from '../http/fields.ts'
import { inLanguage, LocalTextRecord, localTextInput, requireLanguage } from '../http/local-text.ts'
import { PageQuery, Pagination } from '../http/page.ts'
import { checkTime } from '../http/times.ts'
import type { Language } from '../messages/language.ts'

const link = { maxLength: 1000, description: 'A path of this site, or an https URL' }
const moments = {
  starts_at: time(),
  ends_at: timeOrNull({ description: 'Null when it does not end' }),
  created_at: time(),
}

const Announcement = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    body: Type.String({ description: 'Empty when it has none' }),
    link: textOrNull(link),
    ...moments,
    is_read: Type.Boolean(),
  },
  { title: 'Announcement' },
)
export const Announcements = Type.Object({ announcements: Type.Array(Announcement) })

const LocalAnnouncement = Type.Object(
  {
    id: Type.String(),
    title: LocalTextRecord,
    body: LocalTextRecord,
    link: textOrNull(link),
    ...moments,
  },
  { title: 'LocalAnnouncement' },
)
export const OneAnnouncement = Type.Object({ announcement: LocalAnnouncement })
export const LocalAnnouncements = Type.Object({
  announcements: Type.Array(LocalAnnouncement),
  pagination: Pagination,
})
export const AnnouncementsQuery = Type.Object(PageQuery)

export const ReadAnswer = Type.Object({ id: Type.String(), is_read: Type.Literal(true) })

const title = localTextInput({ minLength: 1, maxLength: 100 })
const others = {
  body: Type.Optional(localTextInput({ minLength: 0, maxLength: 2000 })),
  link: Type.Optional(textOrNull(link)),
  starts_at: Type.Optional(timeOrNull({ description: 'Default: now' })),
  ends_at: Type.Optional(timeOrNull()),
}
const examples = [{ title: { ko: '점검 안내', en: 'Maintenance' }, link: '/pages/maintenance' }]

export const AnnouncementInput = checked(Type.Object({ title, ...others }, { examples }), check)
export type AnnouncementInput = Static<typeof AnnouncementInput>

export const AnnouncementEdit = checked(
  Type.Object({ title: Type.Optional(title), ...others }, { examples: [{ link: '/pages/rules' }] }),
  check,
)
export type AnnouncementEdit = Static<typeof AnnouncementEdit>

interface Checked {
  title?: unknown
  link?: unknown
  starts_at?: unknown
  ends_at?: unknown
}

function check(input: Checked, problems: Problem[]): void {
  requireLanguage('title', input.title, problems)
  if (typeof input.link === 'string' && !isLink(input.link)) {
    problems.push({ field: 'link', key: 'invalid.link' })
  }
  for (const field of ['starts_at', 'ends_at'] as const) {
    checkTime(field, input[field], problems)
  }
}

/**
 * True for a path of this site and for an https URL. Rejects `//host` and `/\host`, which browsers read as
 * addresses of another site.
 */
function isLink(text: string): boolean {
  if (/^\/(?![/\\])[^\s\\]*$/.test(text)) return true
  return /^https:\/\/[^\s/\\]\S*$/i.test(text) && URL.canParse(text)
}

export function toAnnouncement(
  row: AnnouncementRow & { is_read: unknown },
  language: Language,
): Static<typeof Announcement> {
  return {
    ...commonOf(row),
    title: inLanguage(JSON.parse(row.title), language).text,
    body: inLanguage(JSON.parse(row.body), language).text,
    is_read: Boolean(row.is_read),
  }
}

export function toLocalAnnouncement(row: AnnouncementRow): Static<typeof LocalAnnouncement> {
  return { ...commonOf(row), title: JSON.parse(row.title), body: JSON.parse(row.body) }
}

function commonOf({ id, link: url, starts_at, ends_at, created_at }: AnnouncementRow) {
  return {
    id,
    link: url,
    starts_at: iso(starts_at),
    ends_at: isoOrNull(ends_at),
    created_at: iso(created_at),
  }
}
