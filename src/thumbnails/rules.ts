import { isoOrNull } from '../clock.ts'
import { isVisible } from '../contents/rules.ts'
import { unlessBlocked } from '../contents/schema.ts'
import type { Handle } from '../db/handle.ts'
import type { JobRow } from '../db/media-tables.ts'
import { ApiError } from '../errors.ts'
import { findGame } from '../games/rules.ts'
import type { Viewer } from '../http/auth.ts'
import { enqueue, findJob, jobErrorText } from '../jobs/rules.ts'
import type { Language } from '../messages/language.ts'
import { findPictured } from './queries.ts'

/**
 * Returns the thumbnail job of the viewer's content item. The status is `none` if there has been no job. Errors: 403
 * NOT_CONTENT_AUTHOR for another author's content that the viewer may read; 404 CONTENT_NOT_FOUND for content that
 * the viewer may not read.
 */
export async function getThumbnailJob(db: Handle, viewer: Viewer, id: string, language: Language) {
  // Reads the job before the content item. Otherwise a completed job could be returned with the previous
  // thumbnail.
  const job = await findJob(db, 'thumbnail', id)
  return toJob(job, await requireOwn(db, viewer, id), language)
}

/**
 * Starts a job for the viewer's game, or returns the job in progress. Errors: those of `getThumbnailJob`,
 * 409 CONTENT_ARCHIVED, and 409 CONTENT_NOT_READY when the content is not a game with a bundle.
 */
export async function startThumbnailJob(
  db: Handle,
  viewer: Viewer,
  id: string,
  { language, now }: { language: Language; now: number },
) {
  return db.transaction(async (tx) => {
    const content = await requireOwn(tx, viewer, id)
    if (content.status === 'archived') throw new ApiError('CONTENT_ARCHIVED')
    if (!(await findGame(tx, id))) throw new ApiError('CONTENT_NOT_READY')
    const job = { kind: 'thumbnail', subject: id, ownerId: viewer.id } as const
    return toJob(await enqueue(tx, job, now), content, language)
  })
}

async function requireOwn(db: Handle, viewer: Viewer, id: string) {
  const content = await findPictured(db, id, viewer.id)
  if (content?.creator_id === viewer.id) return content
  const isReadable = content && isVisible(content, viewer)
  throw new ApiError(isReadable ? 'NOT_CONTENT_AUTHOR' : 'CONTENT_NOT_FOUND')
}

type Pictured = Awaited<ReturnType<typeof requireOwn>>

function toJob(job: JobRow | undefined, content: Pictured, language: Language) {
  return {
    id: job?.id ?? null,
    status: job?.status ?? ('none' as const),
    thumbnail_url: unlessBlocked(content.thumbnail_url, content.blocked_files),
    error: job ? jobErrorText(job, language) : null,
    updated_at: isoOrNull(job?.updated_at ?? null),
  }
}
