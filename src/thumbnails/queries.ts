import { listRows } from '../db/rows.ts'
import { isOpenTo } from '../db/visibility.ts'
import { BLOCKED_FILES } from '../db/blocked-files.ts'
import type { Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const byId = statement((q, p: { id: string; viewerId: string }) =>
  q
    .selectFrom('contents')
    .innerJoin('content_stats as stats', 'stats.content_id', 'contents.id')
    .select([
      'contents.id',
      'contents.creator_id',
      'contents.status',
      'contents.game',
      'contents.thumbnail_url',
      'contents.thumbnail_upload_id',
    ])
    .select(isOpenTo(p.viewerId, 'stats').as('is_open'))
    .select(BLOCKED_FILES.as('blocked_files'))
    .where('contents.id', '=', p.id),
)

export function findPictured(db: Handle, id: string, viewerId = '') {
  return db.first(byId, { id, viewerId })
}

const author = statement((q, p: { id: string }) =>
  q
    .selectFrom('contents')
    .innerJoin('users', 'users.id', 'contents.creator_id')
    .select(['users.id', 'users.is_suspended'])
    .where('contents.id', '=', p.id)
    .where('contents.status', '<>', 'archived'),
)

/** Returns the author of a content item, or undefined when the item is archived or missing. */
export function findBeneficiary(db: Handle, id: string) {
  return db.first(author, { id })
}

const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']

export function listPictures(db: Handle, sha256: string) {
  return listRows(db, 'bundle_files', { bundle_sha256: sha256, mime_type: TYPES })
}
