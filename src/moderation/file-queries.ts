/** Blocked files. A file is blocked while `hidden_subjects` has a row with its hash. */
import type { Tx } from '../db/handle.ts'
import { statement } from '../db/statement.ts'
import { showAvatars } from '../users/avatars.ts'
import { urlOf } from '../uploads/schema.ts'

const files = statement((q, p: { sha256: string; thumbnailPath: string }) =>
  q
    .selectFrom('files')
    .select(['sha256', 'thumbnail_path'])
    .where((e) =>
      e.or([
        e('sha256', '=', p.sha256),
        e('thumbnail_path', '=', p.thumbnailPath),
        e(
          'sha256',
          'in',
          e.selectFrom('uploads').select('file_sha256').where('received_sha256', '=', p.sha256),
        ),
      ]),
    ),
)
const sharing = statement((q, p: { paths: readonly string[] }, dialect) =>
  q
    .selectFrom('files')
    .select(['sha256', 'thumbnail_path'])
    .where(dialect.anyOf('thumbnail_path', p.paths)),
)
const uploads = statement((q, p: { hashes: readonly string[] }, dialect) => {
  const some = q
    .selectFrom('uploads')
    .select(['owner_id', 'received_sha256'])
    .where(dialect.anyOf('file_sha256', p.hashes))
    .orderBy('id')
  // Waits for transactions that are about to use one of these uploads, for example as an avatar.
  return dialect.engine === 'postgres' ? some.forUpdate() : some
})

/**
 * Finds and locks the uploads of a file. Returns the known hashes, the number of files, and the ids of the
 * users who uploaded them. `sha256` is the hash of a stored file, of its thumbnail, or of a received picture
 * with its metadata. Includes pictures with the same thumbnail, because a block also hides the thumbnail.
 */
export async function lockFilesOf(tx: Tx, sha256: string) {
  const named = await tx.all(files, { sha256, thumbnailPath: `${sha256}.webp` })
  const paths = named.flatMap(({ thumbnail_path }) => thumbnail_path ?? [])
  const alike = paths.length === 0 ? [] : await tx.all(sharing, { paths })
  const found = [...new Map([...named, ...alike].map((file) => [file.sha256, file])).values()]
  const stored = found.map((file) => file.sha256)
  const rows = stored.length === 0 ? [] : await tx.all(uploads, { hashes: stored })
  const hashes = new Set([sha256, ...stored])
  for (const { thumbnail_path: path } of found) if (path !== null) hashes.add(path.slice(0, 64))
  for (const { received_sha256: hash } of rows) if (hash !== null) hashes.add(hash)
  const owners = new Set(rows.map(({ owner_id }) => owner_id))
  return { hashes: [...hashes], fileCount: stored.length, owners: [...owners].sort() }
}

/** Returns the URL of an avatar whose thumbnail has this hash. */
export const avatarUrlOf = (sha256: string) => urlOf(`${sha256}.webp`)

const unblock = statement((q, p: { decisionId: string }) =>
  q.deleteFrom('hidden_subjects').where('decision_id', '=', p.decisionId).returning('subject_id'),
)

/**
 * Unblocks the files that a decision blocks. Shows avatars made from them again, unless another decision blocks
 * the file or the avatar was replaced.
 */
export async function unblockFiles(tx: Tx, decisionId: string): Promise<void> {
  const hashes = (await tx.all(unblock, { decisionId })).map(({ subject_id }) => subject_id)
  await showAvatars(tx, hashes.map(avatarUrlOf))
}
