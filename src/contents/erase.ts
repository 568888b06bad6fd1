/**
 * Queries for the erasure of content items. `erasure/begin-content.ts` hides an item, and `erasure/content-steps.ts`
 * later deletes its rows.
 */
import { not } from '../db/conditions.ts'
import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows, updateRows, listColumn } from '../db/rows.ts'
import { rawQuery, statement } from '../db/statement.ts'
import { deleteDocument } from '../indexing/documents.ts'
import { ERASED_OWNER } from '../users/tombstones.ts'
import { updateText } from './queries.ts'

/**
 * Deletes the texts, tags and warnings of a content item, and makes ERASED_OWNER its creator, so that the author no
 * longer sees the item. The item must not be public. The caller holds the lock of the item.
 */
export async function hideForErasure(tx: Tx, id: string, now: number): Promise<void> {
  await updateText(tx, id, null)
  await deleteDocument(tx, id)
  const empty = { status: 'archived', title: '', description: null, tags: '[]' } as const
  const noChoices = { publish_at: null, warnings: '[]', warning_text: null } as const
  const creator_id = ERASED_OWNER
  await updateRows(tx, 'contents', { id }, { ...empty, ...noChoices, creator_id, updated_at: now })
  await updateRows(tx, 'content_stats', { content_id: id }, { creator_id })
}

export async function updateLastComment(tx: Tx, id: string, last: string | null): Promise<void> {
  await updateRows(tx, 'content_stats', { content_id: id }, { last_comment_id: last })
}

type UsedUpload = { id: string; file_sha256: string }

const uploads = statement((q, p: { id: string }) =>
  rawQuery<UsedUpload>(
    q,
    sql`select uploads.id, uploads.file_sha256 from uploads
      where id in (select upload_id from content_media where content_id = ${p.id})
        or id in (select thumbnail_upload_id from contents where id = ${p.id})
      union
      select made.id, made.file_sha256 from contents
      join content_media as media on media.content_id = contents.id
      join uploads as source on source.id = media.upload_id
      join uploads as made on made.owner_id = source.owner_id
        and made.file_sha256 = substr(contents.thumbnail_url, 10, 64)
      where contents.id = ${p.id} and contents.thumbnail_upload_id is null
      order by file_sha256, id`,
  ),
)

/** Returns the content's uploads, including a game's generated thumbnail, in the order in which they must be locked. */
export function listUploadsOf(tx: Tx, id: string): Promise<UsedUpload[]> {
  return tx.all(uploads, { id })
}

const NO_THUMBNAIL = { thumbnail_url: null, thumbnail_sizes: null, thumbnail_upload_id: null }

export async function deleteMediaOf(tx: Tx, id: string): Promise<void> {
  await deleteRows(tx, 'content_media', { content_id: id })
  await updateRows(tx, 'contents', { id }, { media: '[]', ...NO_THUMBNAIL, game: null })
}

/** Deletes a content item and its counts. The caller has deleted all other rows about the item. */
export async function deleteContent(tx: Tx, id: string): Promise<void> {
  await deleteRows(tx, 'content_stats', { content_id: id })
  await deleteRows(tx, 'contents', { id })
}

/**
 * Returns the id of one of the user's content items, or undefined when there is none. With `published` false,
 * considers only unpublished items.
 */
export async function findContentOf(
  db: Handle,
  creatorId: string,
  choices: { published: boolean },
): Promise<string | undefined> {
  const where = { creator_id: creatorId, ...(!choices.published && { status: not('published') }) }
  return (await listColumn(db, 'contents', 'id', where, { by: 'id', limit: 1 }))[0]
}
