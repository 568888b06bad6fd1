import { sql } from 'kysely'
import { isFileBlocked } from '../db/blocked-files.ts'
import type { Flag } from '../db/flag.ts'
import type { FileRow, UploadRow } from '../db/media-tables.ts'
import type { Handle } from '../db/handle.ts'
import { FALSE, statement } from '../db/statement.ts'

type After = { userId: string; after: string; limit: number }

const contents = statement((q, p: After) =>
  q
    .selectFrom('contents')
    .select('id')
    .where('creator_id', '=', p.userId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
)

/** Returns contents of every status, oldest first. */
export function listContentIds(db: Handle, span: After) {
  return db.all(contents, span)
}

const comments = statement((q, p: After) =>
  q
    .selectFrom('comments')
    .select('id')
    .where('author_id', '=', p.userId)
    .where('is_deleted', '=', FALSE)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
)

export function listCommentIds(db: Handle, span: After) {
  return db.all(comments, span)
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
