import { getContent } from '../contents/rules.ts'
import type { ContentDetailRecord } from '../contents/schema.ts'
import type { Handle } from '../db/handle.ts'
import { isId } from '../db/ids.ts'
import { ApiError } from '../errors.ts'

/**
 * Returns content that other sites may show, as an anonymous viewer sees it. Errors: 404 CONTENT_NOT_FOUND, also
 * for content that such a viewer cannot read.
 */
export async function requireEmbeddable(db: Handle, id: string): Promise<ContentDetailRecord> {
  if (!isId('cnt', id)) throw new ApiError('CONTENT_NOT_FOUND')
  const { content } = await getContent(db, id, null)
  return content
}

export function isAdult({ rating }: Pick<ContentDetailRecord, 'rating'>): boolean {
  return rating === 'adult'
}
