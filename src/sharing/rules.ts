import { getContent } from '../contents/rules.ts'
import type { ContentDetailRecord } from '../contents/schema.ts'
import type { Handle } from '../db/handle.ts'
import { isId } from '../db/ids.ts'
import { statement } from '../db/statement.ts'
import { ApiError } from '../errors.ts'
import type { SiteSettings } from '../site-settings.ts'

/**
 * Returns content that other sites may show, as an anonymous viewer sees it. Errors: 404 CONTENT_NOT_FOUND when such a
 * viewer cannot read the content, the author forbids embedding, or the site hides adult content.
 */
export async function requireEmbeddable(
  db: Handle,
  id: string,
  { adult_default }: Pick<SiteSettings, 'adult_default'>,
): Promise<ContentDetailRecord> {
  if (!isId('cnt', id)) throw new ApiError('CONTENT_NOT_FOUND')
  const { content } = await getContent(db, id, null)
  if (content.embedding === 'nowhere' || (isAdult(content) && adult_default === 'hide')) {
    throw new ApiError('CONTENT_NOT_FOUND')
  }
  return content
}

export function isAdult({ rating }: Pick<ContentDetailRecord, 'rating'>): boolean {
  return rating === 'adult'
}

const picture = statement((q, p: { path: string }) =>
  q.selectFrom('files').select(['width', 'height']).where('thumbnail_path', '=', p.path).limit(1),
)

/** Returns the width and height of the file to which a thumbnail belongs, or undefined when they are unknown. */
export async function findPictureSize(db: Handle, path: string) {
  const found = await db.first(picture, { path })
  if (!found) return undefined
  const { width, height } = found
  return width !== null && height !== null ? { width, height } : undefined
}
