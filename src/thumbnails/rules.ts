/** Whose thumbnails are made anew, and what is told of the job that does it. */
import { isoOrNull } from '../clock.ts'
import type { Handle } from '../db/handle.ts'
import type { JobRow } from '../db/media-tables.ts'
import { ApiError } from '../errors.ts'
import { findGame } from '../games/rules.ts'
import type { Viewer } from '../http/auth.ts'
import { enqueue, findJob, jobErrorText } from '../jobs/rules.ts'
import type { Language } from '../messages/language.ts'
import { findPictured } from './queries.ts'

/**
 * The job that makes the thumbnail of a work of the viewer's; of status `none` where there was none.
 * Errors: 403 NOT_CONTENT_AUTHOR for a public work of another, else 404 CONTENT_NOT_FOUND.
 */
export async function readThumbnailJob(db: Handle, viewer: Viewer, id: string, language: Language) {
  // Before the work, which shows the picture no later than the job is completed.
  const job = await findJob(db, 'thumbnail', id)
  const { thumbnail_url } = await requireOwn(db, viewer, id)
  return toJob(job, thumbnail_url, language)
}

/**
 * Has the thumbnail of a game of the viewer's made anew; of those who ask while one is made, all get
 * that job. It publishes nothing.
 * Errors: those of `readThumbnailJob`; 409 CONTENT_ARCHIVED; 409 CONTENT_NOT_READY for what is no
 * game, and a game without a bundle.
 */
export async function startThumbnailJob(
  db: Handle,
  viewer: Viewer,
  id: string,
  { language, now }: { language: Language; now: number },
) {
  return db.transaction(async (tx) => {
    const { status, thumbnail_url } = await requireOwn(tx, viewer, id)
    if (status === 'archived') throw new ApiError('CONTENT_ARCHIVED')
    if (!(await findGame(tx, id))) throw new ApiError('CONTENT_NOT_READY')
    const job = { kind: 'thumbnail', subject: id, ownerId: viewer.id } as const
    return toJob(await enqueue(tx, job, now), thumbnail_url, language)
  })
}

async function requireOwn(db: Handle, viewer: Viewer, id: string) {
  const work = await findPictured(db, id)
  if (work?.creator_id === viewer.id) return work
  throw new ApiError(work?.is_public ? 'NOT_CONTENT_AUTHOR' : 'CONTENT_NOT_FOUND')
}

function toJob(job: JobRow | undefined, thumbnail_url: string | null, language: Language) {
  return {
    id: job?.id ?? null,
    status: job?.status ?? ('none' as const),
    thumbnail_url,
    error: job ? jobErrorText(job, language) : null,
    updated_at: isoOrNull(job?.updated_at ?? null),
  }
}
