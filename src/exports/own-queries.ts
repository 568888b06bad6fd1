import { sql } from 'kysely'
import { isFileBlocked } from '../db/blocked-files.ts'
import type { Flag } from '../db/flag.ts'
import { listRows } from '../db/rows.ts'
import { above } from '../db/conditions.ts'
import type { FileRow, UploadRow } from '../db/media-tables.ts'
import type { Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

type After = { userId: string; after: string; limit: number }

/** Returns up to `limit` of a user's content items with ids above `after`, in every status, oldest first. */
export function listContentIds(db: Handle, span: After) {
  const { userId: creator_id, after, limit } = span
  return listRows(db, 'contents', { creator_id, id: above(after) }, { by: 'id', limit })
}

export function listCommentIds(db: Handle, span: After) {
  const { userId: author_id, after, limit } = span
  const written = { author_id, is_deleted: 0, id: above(after) } as const
  return listRows(db, 'comments', written, { by: 'id', limit })
}

const uploads = statement((q, p: After) =>
  q
    .selectFrom('uploads')
    .innerJoin('files', 'files.sha256', 'uploads.file_sha256')
    .selectAll('files')
    .selectAll('uploads')
    .select(isFileBlocked(sql.ref('files.sha256')).as('is_blocked'))
    .where('uploads.owner_id', '=', p.userId)
    .where('uploads.id', '>', p.after)
    .orderBy('uploads.id')
    .limit(p.limit),
)

export function listUploadsOf(
  db: Handle,
  span: After,
): Promise<(FileRow & UploadRow & { is_blocked: Flag })[]> {
  return db.all(uploads, span)
}
