import { sql } from 'kysely'
import { isOpenTo } from '../db/visibility.ts'
import { isFileBlocked } from '../db/blocked-files.ts'
import type { Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const byId = statement((q, p: { id: string; viewerId: string }) =>
  q
    .selectFrom('contents')
    .innerJoin('content_stats as stats', 'stats.content_id', 'contents.id')
    .innerJoin('users', 'users.id', 'contents.creator_id')
    .select([
      'contents.id',
      'contents.creator_id',
      'contents.type',
      'contents.title',
      'contents.status',
      'contents.game',
      'contents.moderation',
      'users.is_suspended',
    ])
    .select(isOpenTo(p.viewerId, 'stats').as('is_open'))
    .where('contents.id', '=', p.id),
)

export function findContent(db: Handle, id: string, viewerId = '') {
  return db.first(byId, { id, viewerId })
}

const bundleOf = statement((q, p: { contentId: string }) =>
  q
    .selectFrom('content_media as media')
    .innerJoin('bundles', 'bundles.file_sha256', 'media.file_sha256')
    .innerJoin('files', 'files.sha256', 'media.file_sha256')
    .select([
      'files.sha256',
      'files.path',
      'files.mime_type',
      'files.size_bytes',
      'bundles.runtime',
      'bundles.entry',
    ])
    .where('media.content_id', '=', p.contentId)
    .where(isFileBlocked(sql.ref('media.file_sha256')), '=', sql.lit(0 as const))
    .orderBy('media.position')
    .limit(1),
)

/**
 * Returns the bundle of a content item. Returns undefined when there is none, and while a moderation decision
 * blocks its file.
 */
export function findBundleOf(db: Handle, contentId: string) {
  return db.first(bundleOf, { contentId })
}
