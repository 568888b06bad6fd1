import type { Handle, Tx } from '../db/handle.ts'
import { updateRows, insertAll } from '../db/rows.ts'
import { statement } from '../db/statement.ts'

export async function insertMedia(
  tx: Tx,
  contentId: string,
  uploads: readonly { id: string; file_sha256: string }[],
): Promise<void> {
  await insertAll(
    tx,
    'content_media',
    uploads.map(({ id, file_sha256 }, position) => {
      return { content_id: contentId, position, upload_id: id, file_sha256 }
    }),
  )
}

const firstPicture = statement((q, p: { contentId: string }) =>
  q
    .selectFrom('content_media as media')
    .innerJoin('files', 'files.sha256', 'media.file_sha256')
    .select('files.thumbnail_path')
    .where('media.content_id', '=', p.contentId)
    .where('files.thumbnail_path', 'is not', null)
    .orderBy('media.position')
    .limit(1),
)

export async function findFirstThumbnail(db: Handle, contentId: string): Promise<string | null> {
  return (await db.first(firstPicture, { contentId }))?.thumbnail_path ?? null
}

/**
 * Sets the generated thumbnail of a content item and clears the list of the thumbnail's sizes, unless the author chose
 * a thumbnail.
 */
export async function updateOwnPicture(tx: Tx, contentId: string, url: string): Promise<void> {
  await updateRows(
    tx,
    'contents',
    { id: contentId, thumbnail_upload_id: null },
    { thumbnail_url: url, thumbnail_sizes: null },
  )
}

const undepicted = statement((q, p: { contentId: string }) =>
  q
    .selectFrom('content_media as media')
    .innerJoin('files', 'files.sha256', 'media.file_sha256')
    .leftJoin('bundles', 'bundles.file_sha256', 'media.file_sha256')
    .select((e) => [
      e.fn.count('bundles.file_sha256').as('bundles'),
      e.fn.count('files.thumbnail_path').as('pictures'),
    ])
    .where('media.content_id', '=', p.contentId),
)

export async function isUndepictedGame(db: Handle, contentId: string): Promise<boolean> {
  const counts = await db.first(undepicted, { contentId })
  return Number(counts?.bundles) > 0 && Number(counts?.pictures) === 0
}
