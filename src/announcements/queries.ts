import { sql } from 'kysely'
import { BATCH, deleteSome, inBatches } from '../db/batches.ts'
import type { Db, Handle, Tx } from '../db/handle.ts'
import { atMost } from '../db/conditions.ts'
import {
  deleteRows,
  findRowLocked,
  hasRow,
  insertRow,
  updateRows,
  countRows,
  listRows,
} from '../db/rows.ts'
import type { AnnouncementRow } from '../db/site-tables.ts'
import { pickParams, type Range, statement } from '../db/statement.ts'

const CURRENT_MAX = 20

const current = statement((q, p: { now: number; viewerId: string }) =>
  q
    .selectFrom('announcements')
    .leftJoin('announcement_reads as mine', (join) =>
      join
        .onRef('mine.announcement_id', '=', 'announcements.id')
        .on('mine.user_id', '=', p.viewerId),
    )
    .selectAll('announcements')
    .select((e) => e('mine.user_id', 'is not', null).as('is_read'))
    .where('starts_at', '<=', p.now)
    .where((e) => e.or([e('ends_at', 'is', null), e('ends_at', '>', p.now)]))
    .orderBy('announcements.id', 'desc')
    .limit(sql.lit(CURRENT_MAX)),
)

/**
 * Returns the announcements that are shown now, newest first, at most CURRENT_MAX. `is_read` is true when the
 * viewer has read the announcement.
 */
export function listCurrent(db: Handle, viewerId: string | null, now: number) {
  return db.all(current, { viewerId: viewerId ?? '', now })
}

/** Returns a page of all announcements, newest first, with the total. */
export async function listAll(db: Handle, range: Range) {
  const [announcements, total] = await Promise.all([
    listRows(db, 'announcements', {}, { by: 'id', desc: true, ...range }),
    countRows(db, 'announcements', {}),
  ])
  return { announcements, total }
}

export function lockAnnouncement(tx: Tx, id: string) {
  return findRowLocked(tx, 'announcements', { id })
}

export async function insertAnnouncement(tx: Tx, row: AnnouncementRow): Promise<void> {
  await insertRow(tx, 'announcements', row)
}

export async function updateAnnouncementRow(tx: Tx, row: AnnouncementRow): Promise<void> {
  await updateRows(
    tx,
    'announcements',
    { id: row.id },
    pickParams(row, ['title', 'body', 'link', 'starts_at', 'ends_at']),
  )
}

export async function deleteAnnouncementRow(tx: Tx, id: string): Promise<void> {
  await deleteRows(tx, 'announcements', { id })
}

const read = statement((q, p: { id: string; userId: string; now: number }) =>
  q
    .insertInto('announcement_reads')
    .columns(['announcement_id', 'user_id'])
    .expression((e) =>
      e
        .selectFrom('announcements')
        .select(['id', sql<string>`${p.userId}`.as('user_id')])
        .where('id', '=', p.id)
        .where('starts_at', '<=', p.now),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/** Marks an announcement as read. Returns false when it is missing or not shown yet. */
export async function insertRead(
  db: Handle,
  id: string,
  userId: string,
  now: number,
): Promise<boolean> {
  if ((await db.run(read, { id, userId, now })) > 0) return true
  return hasRow(db, 'announcements', { id, starts_at: atMost(now) })
}

const removeReads = statement((q) =>
  q.deleteFrom('announcement_reads').where(
    sql<boolean>`(announcement_id, user_id) in (
      select reads.announcement_id, reads.user_id from announcement_reads as reads
      where not exists (select 1 from announcements where id = reads.announcement_id)
      limit ${sql.lit(BATCH)})`,
  ),
)

/** Deletes the read records of deleted announcements. */
export async function deleteOldReads(db: Db): Promise<void> {
  await inBatches(() => db.run(removeReads, {}))
}

/**
 * Deletes up to `limit` rows that record which announcements a user has read. Returns the number of deleted
 * rows.
 */
export function deleteAnnouncementReads(tx: Tx, user_id: string, limit: number): Promise<number> {
  const key = ['announcement_id', 'user_id'] as const
  return deleteSome(tx, 'announcement_reads', key, { user_id }, limit)
}
