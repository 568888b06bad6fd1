import { type Act, writeAuditEntry } from '../audit/rules.ts'
import type { Handle } from '../db/handle.ts'
import { newId, timeOf } from '../db/ids.ts'
import type { AnnouncementRow } from '../db/site-tables.ts'
import { ApiError, invalid } from '../errors.ts'
import { toLocalText } from '../http/local-text.ts'
import {
  deleteAnnouncementRow,
  insertAnnouncement,
  insertRead,
  lockAnnouncement,
  updateAnnouncementRow,
} from './queries.ts'
import { type AnnouncementEdit, type AnnouncementInput, toLocalAnnouncement } from './schema.ts'

const targetOf = (id: string) => ({ kind: 'announcement', id })

/** Creates an announcement. Errors: 422 on `ends_at` when it is not later than `starts_at`. */
export function createAnnouncement(db: Handle, act: Act, input: AnnouncementInput, now: number) {
  const id = newId('ann', now)
  const row = withChanges(
    {
      id,
      title: '',
      body: JSON.stringify(toLocalText({})),
      link: null,
      starts_at: now,
      ends_at: null,
      created_at: timeOf(id),
    },
    input,
    now,
  )
  return db.transaction(async (tx) => {
    await insertAnnouncement(tx, row)
    const after = toLocalAnnouncement(row)
    const change = { action: 'announcement_created' as const, target: targetOf(id) }
    await writeAuditEntry(tx, act, { ...change, before: null, after }, now)
    return after
  })
}

/**
 * Changes an announcement. Errors: ANNOUNCEMENT_NOT_FOUND; 422 on `ends_at` when it is not later than
 * `starts_at`.
 */
export function updateAnnouncement(
  db: Handle,
  act: Act,
  id: string,
  input: AnnouncementEdit,
  now: number,
) {
  return db.transaction(async (tx) => {
    const row = await lockAnnouncement(tx, id)
    if (!row) throw new ApiError('ANNOUNCEMENT_NOT_FOUND')
    const changed = withChanges(row, input, now)
    await updateAnnouncementRow(tx, changed)
    const [before, after] = [toLocalAnnouncement(row), toLocalAnnouncement(changed)]
    const change = { action: 'announcement_changed' as const, target: targetOf(id) }
    await writeAuditEntry(tx, act, { ...change, before, after }, now)
    return after
  })
}

function withChanges(row: AnnouncementRow, input: AnnouncementEdit, now: number): AnnouncementRow {
  const { title, body, link, starts_at, ends_at } = input
  const changed = {
    ...row,
    ...(title && { title: JSON.stringify(toLocalText(title)) }),
    ...(body && { body: JSON.stringify(toLocalText(body)) }),
    ...(link !== undefined && { link }),
    ...(starts_at !== undefined && { starts_at: starts_at === null ? now : Date.parse(starts_at) }),
    ...(ends_at !== undefined && { ends_at: ends_at === null ? null : Date.parse(ends_at) }),
  }
  if (changed.ends_at !== null && changed.ends_at <= changed.starts_at) {
    throw invalid('ends_at', 'invalid.ends_before_start')
  }
  return changed
}

/** Deletes an announcement. Errors: ANNOUNCEMENT_NOT_FOUND. */
export function deleteAnnouncement(db: Handle, act: Act, id: string, now: number): Promise<void> {
  return db.transaction(async (tx) => {
    const row = await lockAnnouncement(tx, id)
    if (!row) throw new ApiError('ANNOUNCEMENT_NOT_FOUND')
    await deleteAnnouncementRow(tx, id)
    const change = { action: 'announcement_deleted' as const, target: targetOf(id) }
    await writeAuditEntry(
      tx,
      act,
      { ...change, before: toLocalAnnouncement(row), after: null },
      now,
    )
  })
}

/**
 * Marks an announcement as read by the user. Errors: ANNOUNCEMENT_NOT_FOUND, also before the announcement's
 * start.
 */
export async function markAnnouncementRead(
  db: Handle,
  { id: userId }: { id: string },
  id: string,
  now: number,
) {
  if (!(await insertRead(db, id, userId, now))) throw new ApiError('ANNOUNCEMENT_NOT_FOUND')
  return { id, is_read: true as const }
}
