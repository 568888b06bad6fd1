import { above, below } from '../db/conditions.ts'
import { sql } from 'kysely'
import { deleteBundle } from '../bundles/queries.ts'
import type { FileRow } from '../db/media-tables.ts'
import type { Db, Handle, Tx } from '../db/handle.ts'
import { deleteRows, hasRow, listColumn } from '../db/rows.ts'
import { type Query, statement } from '../db/statement.ts'
import { deleteRenditions } from './queries.ts'
import { deleteSizes } from './sizes.ts'
import { usageOf, lockFile, ownsFile, subtractFromUsage } from './usage.ts'

const PAGE = 500

const THUMBNAIL_URL = sql<string>`'/uploads/' || files.thumbnail_path`

const unusedUploads = (q: Query) =>
  q
    .selectFrom('uploads')
    .innerJoin('files', 'files.sha256', 'uploads.file_sha256')
    .select('uploads.id')
    .where((e) =>
      e.not(
        e.or([
          e.exists(
            e
              .selectFrom('content_media')
              .select('content_id')
              .whereRef('content_media.upload_id', '=', 'uploads.id'),
          ),
          e.exists(
            e
              .selectFrom('contents')
              .select('contents.id')
              .whereRef('contents.thumbnail_upload_id', '=', 'uploads.id'),
          ),
          e.exists(
            e
              .selectFrom('users')
              .select('users.id')
              .whereRef('users.id', '=', 'uploads.owner_id')
              .where(
                sql<boolean>`${THUMBNAIL_URL} in (users.avatar_url, users.blocked_avatar_url)`,
              ),
          ),
          e.exists(
            e
              .selectFrom('site')
              .select('site.id')
              .whereRef('site.logo_upload_id', '=', 'uploads.id'),
          ),
          // A generated game thumbnail is in use while a content item of the thumbnail's owner shows it.
          e.exists(
            e
              .selectFrom('contents')
              .select('contents.id')
              .whereRef('contents.creator_id', '=', 'uploads.owner_id')
              .where('contents.thumbnail_upload_id', 'is', null)
              .where('contents.thumbnail_url', '=', THUMBNAIL_URL),
          ),
        ]),
      ),
    )

const unused = statement((q, p: { ids: string[] }, dialect) =>
  unusedUploads(q).where(dialect.anyOf('uploads.id', p.ids)).orderBy('uploads.id'),
)

const unusedOf = statement((q, p: { ownerId: string; limit: number }) =>
  unusedUploads(q)
    .select('uploads.file_sha256')
    .where('uploads.owner_id', '=', p.ownerId)
    .orderBy('uploads.file_sha256')
    .limit(p.limit),
)

/** Returns up to `limit` unused uploads of a user, in the order in which they must be locked. */
export function listUnusedOf(db: Handle, ownerId: string, limit: number) {
  return db.all(unusedOf, { ownerId, limit })
}

/** Yields the ids of unused uploads created before `before` (epoch milliseconds). */
export async function* listUnused(db: Handle, before: number): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const old = { id: above(after), created_at: below(before) }
    const ids = await listColumn(db, 'uploads', 'id', old, { by: 'id', limit: PAGE })
    const last = ids.at(-1)
    if (last === undefined) return
    for (const { id } of await db.all(unused, { ids })) yield id
    after = last
  }
}

const locked = statement((q, p: { id: string }, dialect) => {
  const upload = q.selectFrom('uploads').selectAll().where('id', '=', p.id)
  // FOR UPDATE waits for transactions that are about to use the upload. The weaker lock of `dialect.locked`
  // would not wait for them.
  return dialect.engine === 'postgres' ? upload.forUpdate() : upload
})

export function removeUnused(db: Db, id: string): Promise<FileRow | undefined> {
  return db.transaction((tx) => releaseUpload(tx, id))
}

/**
 * Removes the upload unless something uses it now, and updates its owner's storage usage. If no other upload refers to
 * the file, also removes the file's rows and returns the file. The caller must then delete the file from the store.
 */
export async function releaseUpload(tx: Tx, id: string): Promise<FileRow | undefined> {
  const upload = await tx.first(locked, { id })
  const file = upload && (await lockFile(tx, upload.file_sha256))
  if (!file || !(await tx.first(unused, { ids: [id] }))) return undefined
  const { sha256 } = file
  await deleteRows(tx, 'uploads', { id })
  if (await ownsFile(tx, upload.owner_id, sha256)) return undefined
  await subtractFromUsage(tx, upload.owner_id, usageOf(file))
  if (await hasRow(tx, 'uploads', { file_sha256: sha256 })) return undefined
  await deleteRenditions(tx, sha256)
  await deleteSizes(tx, sha256)
  await deleteBundle(tx, sha256)
  await deleteRows(tx, 'files', { sha256 })
  return file
}
