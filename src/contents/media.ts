import { isPage } from '../bundles/media-types.ts'
import { findBundle, findBundleFile } from '../bundles/queries.ts'
import type { Handle, Tx } from '../db/handle.ts'
import type { UploadRow } from '../db/media-tables.ts'
import type { ContentRow, ContentType } from '../db/tables.ts'
import { ApiError, type Problem } from '../errors.ts'
import { enqueue, findJobLocked } from '../jobs/rules.ts'
import { type Kind, kindOf } from '../uploads/kinds.ts'
import { findUploads, type FoundUpload } from '../uploads/queries.ts'
import { requirePicture } from '../uploads/rules.ts'
import { urlOf } from '../uploads/schema.ts'
import { findPosterUrl, type MediaFile } from './conversion.ts'
import { listFilesOf } from './conversion-queries.ts'
import type { CreateContentInput } from './input.ts'
import { findFirstThumbnail, isUndepictedGame, updateOwnPicture } from './media-queries.ts'
import { findStatsLocked } from './queries.ts'
import type { GameInfo, StoredMedia } from './schema.ts'

const ALLOWED_KINDS: Record<ContentType, readonly Kind[]> = {
  video: ['video'],
  image: ['picture'],
  audio: ['sound'],
  article: ['picture', 'video', 'sound'],
  game: ['bundle', 'picture'],
}

type Thumbnail = Pick<ContentRow, 'thumbnail_url' | 'thumbnail_upload_id'>

interface ResolvedMedia extends Thumbnail {
  uploads: FoundUpload[]
  files: MediaFile[]
  media: StoredMedia[]
  game: GameInfo | null
}

/**
 * Checks the uploads for new content, and returns them with the media, thumbnail and game data. `files` is in the
 * order of `uploads`. Errors: 422 with all problems:
 *
 * - an upload that is unknown, another user's, blocked, repeated, or of a kind that the type does not allow
 * - a second bundle
 * - a thumbnail that is blocked or not an image of this user
 * - a start page that is not a page of the HTML5 bundle
 */
export async function resolveMedia(
  db: Handle,
  ownerId: string,
  input: CreateContentInput,
): Promise<ResolvedMedia> {
  const { type, upload_ids: ids = [], thumbnail_upload_id: thumbnailId = null } = input
  const wanted = [...new Set([...ids, ...(thumbnailId === null ? [] : [thumbnailId])])]
  const found = new Map((await findUploads(db, ownerId, wanted)).map((row) => [row.id, row]))
  const problems: Problem[] = []
  const uploads = takeUploads(type, ids, found, problems)
  const chosen = thumbnailId === null ? null : takePicture(thumbnailId, found, problems)
  const game = type === 'game' ? await resolveGame(db, input.game, uploads, problems) : null
  if (problems.length > 0) throw new ApiError('VALIDATION_ERROR', { problems })
  const first = uploads.find(({ thumbnail_path }) => thumbnail_path !== null)
  const path = (chosen ?? first)?.thumbnail_path ?? null
  return {
    uploads,
    files: uploads.map((upload) => ({ ...upload, sha256: upload.file_sha256 })),
    media: uploads.map(toMedia),
    thumbnail_url: path && urlOf(path),
    thumbnail_upload_id: chosen?.id ?? null,
    game,
  }
}

function takeUploads(
  type: ContentType,
  ids: readonly string[],
  found: ReadonlyMap<string, FoundUpload>,
  problems: Problem[],
): FoundUpload[] {
  const uploads: FoundUpload[] = []
  for (const [index, id] of ids.entries()) {
    const upload = found.get(id)
    const kind = upload && kindOf(upload.mime_type)
    const refuse = (key: Problem['key']) => problems.push({ field: `upload_ids.${index}`, key })
    if (ids.indexOf(id) < index) refuse('invalid.repeated')
    else if (!upload || !kind) refuse('invalid.upload')
    else if (upload.is_blocked) refuse('invalid.blocked_file')
    else if (!ALLOWED_KINDS[type].includes(kind)) refuse('invalid.upload_kind')
    else if (kind === 'bundle' && uploads.some(isBundle)) refuse('invalid.one_bundle')
    else uploads.push(upload)
  }
  return uploads
}

function takePicture(
  id: string,
  found: ReadonlyMap<string, FoundUpload>,
  problems: Problem[],
): FoundUpload | undefined {
  const upload = found.get(id)
  if (upload?.thumbnail_path && !upload.is_blocked) return upload
  const rejection = upload?.is_blocked ? 'invalid.blocked_file' : 'invalid.not_a_picture'
  const key = upload ? rejection : 'invalid.upload'
  problems.push({ field: 'thumbnail_upload_id', key })
  return undefined
}

function isBundle({ mime_type }: FoundUpload): boolean {
  return kindOf(mime_type) === 'bundle'
}

async function resolveGame(
  db: Handle,
  input: CreateContentInput['game'],
  uploads: readonly FoundUpload[],
  problems: Problem[],
): Promise<GameInfo> {
  const { entry, orientation = null, controls = null } = input ?? {}
  const info = { entry: entry || null, orientation, controls }
  const upload = uploads.find(isBundle)
  const bundle = upload && (await findBundle(db, upload.file_sha256))
  if (!bundle) return { ...info, runtime: null }
  const { runtime } = bundle
  if (info.entry === null) return { ...info, runtime, entry: bundle.entry }
  const file = await findBundleFile(db, bundle.file_sha256, info.entry)
  if (runtime !== 'html5') problems.push({ field: 'game.entry', key: 'invalid.entry_runtime' })
  else if (!file || !isPage(file.path)) problems.push({ field: 'game.entry', key: 'invalid.entry' })
  return { ...info, runtime, entry: file?.path ?? null }
}

export function toMedia(
  upload: Omit<FoundUpload, keyof UploadRow | 'is_blocked'> & Pick<UploadRow, 'id'>,
): StoredMedia {
  const { id, path, mime_type, width, height, duration_ms, size_bytes } = upload
  const url = urlOf(path)
  return {
    upload_id: id,
    url,
    original_url: url,
    mime_type,
    width,
    height,
    duration_ms,
    size_bytes,
  }
}

/**
 * Returns the thumbnail that an update chooses: null to remove the choice, undefined to keep it.
 * Errors: 422 unless the upload is an image of this user.
 */
export async function findThumbnail(
  db: Handle,
  ownerId: string,
  uploadId: string | null | undefined,
): Promise<Thumbnail | null | undefined> {
  if (typeof uploadId !== 'string') return uploadId
  const picture = await requirePicture(db, ownerId, uploadId, 'thumbnail_upload_id')
  return { thumbnail_url: urlOf(picture.thumbnail_path), thumbnail_upload_id: picture.id }
}

/**
 * Returns the thumbnail after an update. If the author removes the chosen thumbnail, returns the first image, else the
 * poster of the first video, else null.
 */
export async function thumbnailOf(
  tx: Tx,
  { id, thumbnail_url, thumbnail_upload_id }: ContentRow,
  chosen: Thumbnail | null | undefined,
): Promise<Thumbnail> {
  if (chosen) return chosen
  if (chosen === undefined || thumbnail_upload_id === null) {
    return { thumbnail_url, thumbnail_upload_id }
  }
  const path = await findFirstThumbnail(tx, id)
  const own = path === null ? await findPosterUrl(tx, await listFilesOf(tx, id)) : urlOf(path)
  return { thumbnail_url: own, thumbnail_upload_id: null }
}

/**
 * Sets the generated thumbnail of a content item. Does nothing if the author chose a thumbnail. The caller
 * holds the lock of the thumbnail job.
 */
export async function showPicture(tx: Tx, contentId: string, path: string): Promise<void> {
  await findStatsLocked(tx, contentId)
  await updateOwnPicture(tx, contentId, urlOf(path))
}

/**
 * Locks the jobs that make the thumbnail and the picture sizes of the content item, if any. To keep the lock order,
 * call it before locking the content item.
 */
export async function lockPicture(tx: Tx, contentId: string): Promise<void> {
  await findJobLocked(tx, 'thumbnail', contentId)
  await findJobLocked(tx, 'sizes', contentId)
}

/**
 * Queues a thumbnail job for a game without images. Does nothing for other content. The caller must have called
 * `lockPicture`, unless the content is new.
 */
export async function queuePicture(
  tx: Tx,
  { id, creator_id }: Pick<ContentRow, 'id' | 'creator_id'>,
  now: number,
): Promise<void> {
  if (!(await isUndepictedGame(tx, id))) return
  await enqueue(tx, { kind: 'thumbnail', subject: id, ownerId: creator_id }, now)
}
