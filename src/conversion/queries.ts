import type { Handle } from '../db/handle.ts'
import { FALSE, statement, statementFamily } from '../db/statement.ts'

const file = statement((q, p: { sha256: string }) =>
  q.selectFrom('files').select(['path', 'mime_type']).where('sha256', '=', p.sha256),
)

export function findSource(db: Handle, sha256: string) {
  return db.first(file, { sha256 })
}

const authors = statementFamily(({ isActive }: { isActive: boolean }) =>
  statement((q, p: { sha256: string }) => {
    const query = q
      .selectFrom('content_media as media')
      .innerJoin('contents', 'contents.id', 'media.content_id')
      .innerJoin('users', 'users.id', 'contents.creator_id')
      .select(['users.id', 'users.is_suspended'])
      .where('media.file_sha256', '=', p.sha256)
      .where('contents.status', '<>', 'archived')
      .limit(1)
    return isActive ? query.where('users.is_suspended', '=', FALSE) : query
  }),
)

/**
 * Returns the author of a content item that uses this file and is not archived, or undefined. Prefers authors
 * who are not suspended.
 */
export async function findBeneficiary(db: Handle, sha256: string) {
  const active = await db.first(authors({ isActive: true }), { sha256 })
  return active ?? db.first(authors({ isActive: false }), { sha256 })
}
