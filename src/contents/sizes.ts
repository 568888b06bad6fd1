/** Smaller versions of the pictures and thumbnails of content. Jobs make them (`thumbnails/sizes.ts`). */
import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import type { PictureSizeRow } from '../db/media-tables.ts'
import { updateRows } from '../db/rows.ts'
import { FALSE, rawQuery, statement } from '../db/statement.ts'
import { enqueueAnew } from '../jobs/rules.ts'
import { listSizes, type SizeUse, toStoredSizes } from '../uploads/sizes.ts'
import { findContentRow, findStatsLocked } from './queries.ts'
import type { StoredMedia } from './schema.ts'

export interface SizeSource {
  sha256: string
  /** Path and type of the picture to scale: the file itself, or the poster of a video. */
  path: string
  mime_type: string
  /** Hash that names the folder of the sizes. The folder of a picture does not reveal the hash of its original. */
  folder: string
  use: SizeUse
}

/**
 * Expected processor time in milliseconds. Workers run an owner's shortest jobs first. Jobs for avatars have 0,
 * so they run before jobs for content.
 */
const EXPECTED_MS = 1000

export function toSizesJob({ id, creator_id }: { id: string; creator_id: string }) {
  return { kind: 'sizes', subject: id, ownerId: creator_id, expectedMs: EXPECTED_MS } as const
}

/**
 * Queues the job that makes the missing sizes of a content item. Restarts a running job, because it may miss the
 * picture that this transaction adds. When the item exists, call `queueSizes` before locking the item.
 */
export async function queueSizes(
  tx: Tx,
  content: { id: string; creator_id: string },
  now: number,
): Promise<void> {
  await enqueueAnew(tx, toSizesJob(content), now)
}

const withoutSizes = statement((q, p: { limit: number }) =>
  q
    .selectFrom('contents')
    .innerJoin('users', 'users.id', 'contents.creator_id')
    .select(['contents.id', 'contents.creator_id'])
    .where('contents.thumbnail_url', 'is not', null)
    .where('contents.thumbnail_sizes', 'is', null)
    .where('contents.status', '<>', sql.lit('archived' as const))
    .where('users.is_suspended', '=', FALSE)
    .orderBy('contents.id', 'desc')
    .limit(p.limit),
)

/**
 * Returns up to `limit` content items that have a thumbnail but no sizes yet, the newest first. Leaves out archived
 * content, and content of suspended users.
 */
export function listContentsWithoutSizes(db: Handle, limit: number) {
  return db.all(withoutSizes, { limit })
}

type Picture = Omit<SizeSource, 'use'> & { upload_id: string }

const pictures = statement((q, p: { id: string }) =>
  rawQuery<Picture>(
    q,
    sql`select media.upload_id, files.sha256, files.path, files.mime_type,
        substr(files.thumbnail_path, 1, 64) as folder
      from content_media as media join files on files.sha256 = media.file_sha256
      where media.content_id = ${p.id} and files.thumbnail_path is not null
      order by media.position`,
  ),
)

/** Finds the file that the content item's thumbnail shows. For a video, returns the poster as the picture to scale. */
const thumbnail = statement((q, p: { id: string }) =>
  rawQuery<Omit<SizeSource, 'use'>>(
    q,
    sql`select files.sha256, coalesce(poster.path, files.path) as path,
        coalesce(poster.mime_type, files.mime_type) as mime_type,
        substr(contents.thumbnail_url, 10, 64) as folder
      from contents
      join files on files.sha256 in (
        select file_sha256 from content_media where content_id = ${p.id}
        union all select file_sha256 from uploads
          where id = (select thumbnail_upload_id from contents where id = ${p.id})
        union all select substr(thumbnail_url, 10, 64) from contents where id = ${p.id})
      left join renditions as poster on poster.file_sha256 = files.sha256
        and poster.path = substr(contents.thumbnail_url, 10)
      where contents.id = ${p.id}
        and (poster.path is not null or files.thumbnail_path = substr(contents.thumbnail_url, 10))
      order by files.sha256 limit 1`,
  ),
)

export async function listSizeSources(db: Handle, id: string): Promise<SizeSource[]> {
  const shown = await db.all(pictures, { id })
  const source = await db.first(thumbnail, { id })
  return [
    ...shown.map((file) => ({ ...file, use: 'picture' as const })),
    ...(source ? [{ ...source, use: 'thumbnail' as const }] : []),
  ]
}

/**
 * Stores the lists of existing sizes in the row of a content item. Leaves the thumbnail's list unchanged when the
 * thumbnail's URL is no longer `thumbnailUrl`. The caller holds the lock of the item's job.
 */
export async function showSizes(tx: Tx, id: string, thumbnailUrl: string | null): Promise<void> {
  await findStatsLocked(tx, id)
  const row = await findContentRow(tx, id)
  if (!row) return
  const sources = await tx.all(pictures, { id })
  const sizes = await listSizes(tx, hashesOf(sources), 'picture')
  const media = (JSON.parse(row.media) as StoredMedia[]).map((medium) => {
    const source = sources.find(({ upload_id }) => upload_id === medium.upload_id)
    return withSizes(
      medium,
      sizes.filter(({ file_sha256 }) => file_sha256 === source?.sha256),
    )
  })
  const isCurrent = thumbnailUrl !== null && thumbnailUrl === row.thumbnail_url
  const thumbnail_sizes = isCurrent ? await findThumbnailSizes(tx, id) : row.thumbnail_sizes
  await updateRows(tx, 'contents', { id }, { media: JSON.stringify(media), thumbnail_sizes })
}

async function findThumbnailSizes(tx: Tx, id: string): Promise<string> {
  const source = await tx.first(thumbnail, { id })
  const found = source ? await listSizes(tx, [source.sha256], 'thumbnail') : []
  return JSON.stringify(toStoredSizes(found))
}

function hashesOf(files: readonly { sha256: string }[]): string[] {
  return [...new Set(files.map(({ sha256 }) => sha256))]
}

function withSizes(medium: StoredMedia, found: readonly PictureSizeRow[]): StoredMedia {
  const [first] = found
  return first
    ? { ...medium, folder: first.path.slice(0, 64), sizes: toStoredSizes(found) }
    : medium
}
