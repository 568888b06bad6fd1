import type { SqlBool } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { isId, newId } from '../db/ids.ts'
import { type Rating, RATINGS } from '../db/moderation-tables.ts'
import type { ContentStatus } from '../db/tables.ts'
import { ApiError, invalid } from '../errors.ts'
import { type Caller, may, type Viewer } from '../http/auth.ts'
import { requireScopes } from '../keys/rules.ts'
import { spendRate } from '../limits/write-rate.ts'
import { indexContent } from '../indexing/documents.ts'
import type { Language } from '../messages/language.ts'
import { notify } from '../notifications/notify.ts'
import { emit } from '../webhooks/emit.ts'
import { findPosterUrl, queueConversions, readinessOf, showRenditions } from './conversion.ts'
import type { CreateContentInput, UpdateContentInput } from './input.ts'
import { findContentRecord, loadDetail, loadForAll } from './load.ts'
import { findThumbnail, lockPicture, queuePicture, resolveMedia, thumbnailOf } from './media.ts'
import { insertMedia } from './media-queries.ts'
import {
  findContent,
  findContentRow,
  findStatsLocked,
  insertContent,
  updateCommentPolicy,
  type StoredContent,
  updateContentRow,
  updatePublishedAt,
  updateText,
} from './queries.ts'
import { announce, present } from './publish.ts'
import { type ContentDetailRecord, uniqueTags } from './schema.ts'
import { ERASED_OWNER } from '../users/tombstones.ts'
import { holdUploads } from '../uploads/queries.ts'
import { toPublishAt } from './schedule.ts'
import { queueSizes } from './sizes.ts'
import { replaceTags, refreshAccess } from './visibility.ts'
import { isOpen } from '../db/visibility.ts'

/** True when the viewer may read the content item. `row.is_open` is the result of `isOpenTo` for this viewer. */
export function isVisible(
  row: { is_open: SqlBool; creator_id: string; status: ContentStatus },
  viewer: Viewer | null,
): boolean {
  if (row.is_open || row.creator_id === viewer?.id) return true
  return (
    may(viewer, 'moderate') &&
    (row.status === 'published' || row.status === 'archived') &&
    row.creator_id !== ERASED_OWNER
  )
}

/**
 * Returns a content item that the viewer may see. Errors: 404 CONTENT_NOT_FOUND, also for content hidden from
 * the viewer.
 */
export async function requireVisibleContent(db: Handle, id: string, viewer: Viewer | null) {
  const content = await findContent(db, id, viewer?.id)
  if (!content || !isVisible(content, viewer)) throw new ApiError('CONTENT_NOT_FOUND')
  return content
}

/**
 * Locks and returns the content's counts with its title, or returns undefined when the content does not exist.
 * Ignores visibility.
 */
export function lockContent(tx: Tx, id: string) {
  return findStatsLocked(tx, id)
}

/**
 * Locks the viewer's own content item and returns its counts. Errors: 403 NOT_CONTENT_AUTHOR for another user's
 * content item that the viewer can read, else 404 CONTENT_NOT_FOUND.
 */
export async function lockOwnContent(tx: Tx, id: string, viewer: Viewer) {
  const stats = await findStatsLocked(tx, id)
  if (stats?.creator_id === viewer.id) return stats
  const row = await findContent(tx, id, viewer.id)
  throw new ApiError(row && isVisible(row, viewer) ? 'NOT_CONTENT_AUTHOR' : 'CONTENT_NOT_FOUND')
}

/** Returns the viewer's own content item. Errors as for `lockOwnContent`. */
export async function requireOwnContent(db: Handle, id: string, viewer: Viewer) {
  const content = await requireVisibleContent(db, id, viewer)
  if (content.creator_id !== viewer.id) throw new ApiError('NOT_CONTENT_AUTHOR')
  return content
}

/**
 * Returns a content item with its text. `isOpen` is false when the viewer sees it only as its author or as a moderator.
 * Errors: 404 CONTENT_NOT_FOUND, also for content hidden from the viewer.
 */
export async function getContent(
  db: Handle,
  id: string,
  viewer: Viewer | null,
  language?: Language,
): Promise<{ content: ContentDetailRecord; isOpen: boolean }> {
  const viewerId = viewer?.id ?? null
  const row = await findContentRecord(db, id, viewerId)
  if (!row || !isVisible(row, viewer)) throw new ApiError('CONTENT_NOT_FOUND')
  return { content: await loadDetail(db, row, viewerId, language), isOpen: Boolean(row.is_open) }
}

/**
 * Creates a content item and publishes it. With `converts`, publishes it only after its media are converted. Creates
 * a draft when `publish` is false, `publish_at` is a time, or the caller uses a test key. With a test key, also
 * ignores `publish_at`.
 * Errors: 403 INSUFFICIENT_SCOPE; 422 as in `toPublishAt` and `resolveMedia`; 429 RATE_LIMITED.
 */
export async function createContent(
  db: Handle,
  caller: Caller,
  input: CreateContentInput,
  { now, converts }: { now: number; converts: boolean },
): Promise<{ content: ContentDetailRecord }> {
  requireScopes(
    caller,
    input.category === 'jump' ? ['contents:write', 'jump:write'] : ['contents:write'],
  )
  const id = newId('cnt', now)
  const isTest = caller.key?.environment === 'test'
  const publishAt = isTest ? null : toPublishAt(input.publish_at ?? null, now)
  const shouldPublish = !isTest && publishAt === null && (input.publish ?? true)
  const tags = uniqueTags(input.tags ?? [])
  const { uploads, files, media, game, ...thumbnail } = await resolveMedia(db, caller.id, input)
  const { thumbnail_upload_id: chosenId } = thumbnail
  const used = [...uploads.map((upload) => upload.id), ...(chosenId === null ? [] : [chosenId])]
  await db.transaction(async (tx) => {
    await spendRate(tx, caller, 'publish', now)
    // If an upload was removed since the first check, resolving again throws the 422 for it.
    if (!(await holdUploads(tx, used))) await resolveMedia(tx, caller.id, input)
    const isReady = !converts || (await queueConversions(tx, caller.id, files, now))
    const publish = shouldPublish && isReady
    const row = {
      id,
      creator_id: caller.id,
      category: input.category,
      type: input.type,
      title: input.title,
      description: input.description || null,
      tags: JSON.stringify(tags),
      status: publish ? 'published' : shouldPublish ? 'processing' : 'draft',
      media: JSON.stringify(await showRenditions(tx, media, files)),
      thumbnail_url: thumbnail.thumbnail_url ?? (await findPosterUrl(tx, files)),
      thumbnail_upload_id: thumbnail.thumbnail_upload_id,
      game: game && JSON.stringify(game),
      published_at: publish ? now : null,
      created_at: now,
      updated_at: now,
      visibility: input.visibility ?? 'public',
      publish_at: publishAt,
      rating: input.rating ?? 'everyone',
      warnings: toWarnings(input.warnings ?? []),
      warning_text: input.warning_text || null,
      embedding: input.embedding ?? 'everywhere',
    } as const
    await Promise.all([
      insertContent(tx, row),
      insertMedia(tx, id, uploads),
      input.body && updateText(tx, id, input.body),
      indexContent(tx, row, input.body ?? null),
    ])
    const { comment_policy: policy = 'everyone' } = input
    if (policy !== 'everyone') await updateCommentPolicy(tx, id, policy)
    if (game?.runtime && thumbnail.thumbnail_url === null) await queuePicture(tx, row, now)
    if (row.thumbnail_url !== null) await queueSizes(tx, row, now)
    if (publish) {
      await notify(tx, await present(tx, [row], now), now)
    }
  })
  const { content } = await getContent(db, id, caller)
  return { content }
}

/**
 * Updates a content item. `status` publishes a draft, or sets it to `processing` until its media are converted.
 * Unchanged values emit no event and leave `updated_at` unchanged. Errors:
 *
 * - 404 CONTENT_NOT_FOUND, 403 NOT_CONTENT_AUTHOR, 409 CONTENT_ARCHIVED, 429 RATE_LIMITED
 * - 409 CONTENT_NOT_READY when a conversion failed
 * - 409 RATING_LOCKED for a rating below the one that a decision set
 * - 409 CONTENT_PUBLISHED for a `publish_at` of content that is not a draft
 * - 422 for a text in a type other than article, and for a `status` during conversion
 * - 422, checked first, for a thumbnail that is not an image of the viewer, and a `publish_at` too early or too late
 */
export async function updateContent(
  db: Handle,
  viewer: Viewer,
  id: string,
  input: UpdateContentInput,
  { now, converts, language }: { now: number; converts: boolean; language: Language },
): Promise<{ content: ContentDetailRecord }> {
  const chosen = await findThumbnail(db, viewer.id, input.thumbnail_upload_id)
  const { publish_at: time } = input
  const publishAt = time === undefined ? undefined : toPublishAt(time, now)
  if (!isId('cnt', id)) throw new ApiError('CONTENT_NOT_FOUND')
  await db.transaction(async (tx) => {
    await spendRate(tx, viewer, 'edit', now)
    const readiness = input.status && converts ? await readinessOf(tx, viewer.id, id, now) : 'ready'
    // Locks the picture's jobs first, because jobs come before content items in the lock order.
    if (chosen === null) await lockPicture(tx, id)
    if (chosen !== undefined) await queueSizes(tx, { id, creator_id: viewer.id }, now)
    const stats = await lockOwnContent(tx, id, viewer)
    const row = await findContentRow(tx, id)
    if (!row || row.status === 'archived') throw new ApiError('CONTENT_ARCHIVED')
    if (chosen && !(await holdUploads(tx, [chosen.thumbnail_upload_id ?? '']))) {
      throw invalid('thumbnail_upload_id', 'invalid.upload')
    }
    if (typeof input.body === 'string' && row.type !== 'article') {
      throw invalid('body', 'invalid.only_articles')
    }
    if (input.status && row.status === 'processing') {
      throw invalid('status', 'invalid.status_change')
    }
    if (publishAt !== undefined && row.status !== 'draft') throw new ApiError('CONTENT_PUBLISHED')
    const shouldPublish = input.status === 'published' && row.status === 'draft'
    if (shouldPublish && readiness === 'failed') throw new ApiError('CONTENT_NOT_READY')
    const isNew = shouldPublish && readiness === 'ready'
    const thumbnail = await thumbnailOf(tx, row, chosen)
    const changed = {
      title: input.title ?? row.title,
      description: input.description === undefined ? row.description : input.description || null,
      tags: input.tags ? JSON.stringify(uniqueTags(input.tags)) : row.tags,
      ...thumbnail,
      thumbnail_sizes: thumbnail.thumbnail_url === row.thumbnail_url ? row.thumbnail_sizes : null,
      status: isNew ? 'published' : shouldPublish ? 'processing' : row.status,
      published_at: isNew ? now : row.published_at,
      visibility: input.visibility ?? row.visibility,
      publish_at: shouldPublish ? null : publishAt === undefined ? row.publish_at : publishAt,
      ...ratingOf(row, input.rating),
      warnings: input.warnings ? toWarnings(input.warnings) : row.warnings,
      warning_text:
        input.warning_text === undefined ? row.warning_text : input.warning_text || null,
      embedding: input.embedding ?? row.embedding,
    } as const
    const isOtherText = input.body !== undefined && (await updateText(tx, id, input.body || null))
    const { comment_policy: policy = stats.comment_policy } = input
    const isOtherPolicy = policy !== stats.comment_policy
    if (isOtherPolicy) await updateCommentPolicy(tx, id, policy)
    if (!isOtherText && !isOtherPolicy && isWithin(changed, row)) return
    if (chosen === null && row.thumbnail_upload_id !== null) await queuePicture(tx, row, now)
    const after = { ...row, ...changed, updated_at: Math.max(now, row.updated_at) }
    await updateContentRow(tx, after)
    const { title, description, tags } = changed
    const isSearched = isOtherText || !isWithin({ title, description, tags }, row)
    if (isSearched) await indexContent(tx, after, input.body)
    if (isNew) {
      await updatePublishedAt(tx, id, now)
      await notify(tx, await present(tx, [row], now), now)
    } else if (after.status === 'published') {
      const hasOther = after.visibility !== row.visibility
      const [change] = hasOther ? await refreshAccess(tx, [row], now) : []
      if (change?.isFirst) return notify(tx, await announce(tx, [change], now), now)
      if (stats.is_public && input.tags && !change) await replaceTags(tx, id)
      if (isOpen(stats)) {
        const data = async () => ({ content: await loadForAll(tx, id) })
        await emit(tx, viewer.id, 'content.updated', now, data)
      }
    }
  })
  const { content } = await getContent(db, id, viewer, language)
  return { content }
}

function toWarnings(warnings: readonly string[]): string {
  return JSON.stringify([...new Set(warnings)])
}

/**
 * Returns `rating` and `own_rating` after the author chose a rating, or the stored values without `chosen`.
 * Errors: 409 RATING_LOCKED when the chosen rating is below the one that a decision set.
 */
function ratingOf({ rating, decided_rating, own_rating }: StoredContent, chosen?: Rating) {
  if (chosen === undefined || chosen === rating) return { rating, own_rating }
  if (decided_rating === null) return { rating: chosen, own_rating }
  if (RATINGS.indexOf(chosen) < RATINGS.indexOf(decided_rating)) throw new ApiError('RATING_LOCKED')
  return { rating: chosen, own_rating: chosen }
}

function isWithin(changed: Partial<StoredContent>, row: StoredContent): boolean {
  const names = Object.keys(changed) as (keyof StoredContent)[]
  return names.every((name) => changed[name] === row[name])
}

/**
 * Archives a content item. Does nothing when it is already archived. Errors: 404 CONTENT_NOT_FOUND, 403
 * NOT_CONTENT_AUTHOR.
 */
export async function archiveContent(
  db: Handle,
  viewer: Viewer,
  id: string,
  now: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const stats = await lockOwnContent(tx, id, viewer)
    const row = await findContentRow(tx, id)
    if (!row || row.status === 'archived') return
    await updateContentRow(tx, {
      ...row,
      status: 'archived',
      publish_at: null,
      updated_at: Math.max(now, row.updated_at),
    })
    const [change] = await refreshAccess(tx, [row], now)
    if (change && stats.was_public) {
      const data = async () => ({ content: await loadForAll(tx, id) })
      await emit(tx, viewer.id, 'content.archived', now, data)
    }
  })
}
