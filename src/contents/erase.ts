/** Statements that erase a content item. `erasure/content-steps.ts` calls them in order. */
import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows, updateRows } from '../db/rows.ts'
import { rawQuery, statement, statementFamily } from '../db/statement.ts'
import { ERASED_OWNER } from '../users/tombstones.ts'
import { updateText } from './queries.ts'

const giveToNobody = statement((q, p: { id: string; now: number }) =>
  q
    .updateTable('contents')
    .set({
      creator_id: ERASED_OWNER,
      status: 'archived',
      title: '',
      description: null,
      tags: '[]',
      updated_at: p.now,
    })
    .where('id', '=', p.id),
)
const giveStatsToNobody = statement((q, p: { id: string }) =>
  q.updateTable('content_stats').set({ creator_id: ERASED_OWNER }).where('content_id', '=', p.id),
)

/** Deletes the texts of content that is not public and hides it from its author. The caller holds its lock. */
export async function hideForErasure(tx: Tx, id: string, now: number): Promise<void> {
  await updateText(tx, id, null)
  await tx.run(giveToNobody, { id, now })
  await tx.run(giveStatsToNobody, { id })
}

const setLastComment = statement((q, p: { id: string; last: string | null }) =>
  q
    .updateTable('content_stats')
    .set({ last_comment_id: sql<string>`cast(${p.last} as text)` })
    .where('content_id', '=', p.id),
)

export async function updateLastComment(tx: Tx, id: string, last: string | null): Promise<void> {
  await tx.run(setLastComment, { id, last })
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

/** Returns the uploads that the content uses, and the generated thumbnail of a game, in the order of locks. */
export function listUploadsOf(tx: Tx, id: string): Promise<UsedUpload[]> {
  return tx.all(uploads, { id })
}

/** Ends the use of all uploads by a content item. */
export async function deleteMediaOf(tx: Tx, id: string): Promise<void> {
  await deleteRows(tx, 'content_media', { content_id: id })
  await updateRows(
    tx,
    'contents',
    { id },
    { media: '[]', thumbnail_url: null, thumbnail_upload_id: null, game: null },
  )
}

/** Deletes the rows of a content item that has no other rows. */
export async function deleteContent(tx: Tx, id: string): Promise<void> {
  await deleteRows(tx, 'content_stats', { content_id: id })
  await deleteRows(tx, 'contents', { id })
}

const ofCreator = statementFamily(({ published }: { published: boolean }) =>
  statement((q, p: { creatorId: string }) =>
    q
      .selectFrom('contents')
      .select('id')
      .where('creator_id', '=', p.creatorId)
      .$if(!published, (rows) => rows.where('status', '<>', sql.lit('published' as const)))
      .orderBy('id')
      .limit(1),
  ),
)

/** Returns the id of one of the user's content items. Without `published`, selects only unpublished ones. */
export async function findContentOf(
  db: Handle,
  creatorId: string,
  choices: { published: boolean },
): Promise<string | undefined> {
  return (await db.first(ofCreator(choices), { creatorId }))?.id
}
