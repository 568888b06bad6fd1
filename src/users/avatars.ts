/** Sizes of avatars, and avatars whose files a moderator has blocked: `avatar_url` is null while the block is in effect. */
import { updateRows } from '../db/rows.ts'
import { sql } from 'kysely'
import { hashInUrl } from '../db/blocked-files.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { FALSE, statement } from '../db/statement.ts'

const userOf = statement((q, p: { sha256: string }) =>
  q
    .selectFrom('files')
    .innerJoin('uploads', 'uploads.file_sha256', 'files.sha256')
    .innerJoin('users', 'users.id', 'uploads.owner_id')
    .select(['users.id', 'users.is_suspended'])
    .where('files.sha256', '=', p.sha256)
    .where(
      sql<boolean>`'/uploads/' || files.thumbnail_path in (users.avatar_url, users.blocked_avatar_url)`,
    )
    .orderBy('users.is_suspended')
    .limit(1),
)

/** Returns a user with this file as the avatar, or undefined. Prefers users who are not suspended. */
export function findAvatarUser(db: Handle, sha256: string) {
  return db.first(userOf, { sha256 })
}

type Picture = { sha256: string; url: string }

const setSizes = statement((q, p: Picture & { sizes: string }) =>
  q
    .updateTable('users')
    .set({ avatar_sizes: p.sizes })
    .where('id', 'in', (e) =>
      e.selectFrom('uploads').select('owner_id').where('file_sha256', '=', p.sha256),
    )
    .where((e) => e.or([e('avatar_url', '=', p.url), e('blocked_avatar_url', '=', p.url)])),
)

/** Stores the sizes of a picture for all users who own the picture and use it as their avatar. */
export async function updateAvatarSizes(tx: Tx, picture: Picture, sizes: string): Promise<void> {
  await tx.run(setSizes, { ...picture, sizes })
}

const withoutSizes = statement((q, p: { limit: number }) =>
  q
    .selectFrom('users')
    .innerJoin('files', (join) =>
      join.on('files.thumbnail_path', '=', sql<string>`substr(users.avatar_url, 10)`),
    )
    .innerJoin('uploads', (join) =>
      join
        .onRef('uploads.file_sha256', '=', 'files.sha256')
        .onRef('uploads.owner_id', '=', 'users.id'),
    )
    .select(['users.id', 'files.sha256'])
    .where('users.avatar_url', 'is not', null)
    .where('users.avatar_sizes', 'is', null)
    .where('users.is_suspended', '=', FALSE)
    .limit(p.limit),
)

/** Returns active users whose avatars have no sizes yet, with the files of the avatars. */
export function listWithoutSizes(db: Handle, limit: number) {
  return db.all(withoutSizes, { limit })
}

const hide = statement((q, p: { owners: readonly string[]; urls: readonly string[] }, dialect) =>
  q
    .updateTable('users')
    .set({ blocked_avatar_url: sql`avatar_url`, avatar_url: null })
    .where(dialect.anyOf('id', p.owners))
    .where(dialect.anyOf('avatar_url', p.urls)),
)

/** Removes these avatars from their owners' profiles, until `showAvatars` restores them. */
export async function hideAvatars(
  tx: Tx,
  owners: readonly string[],
  urls: readonly string[],
): Promise<void> {
  if (owners.length > 0) await tx.run(hide, { owners, urls })
}

const show = statement((q, p: { urls: readonly string[] }, dialect) =>
  q
    .updateTable('users')
    .set({ avatar_url: sql`blocked_avatar_url`, blocked_avatar_url: null })
    .where(dialect.anyOf('blocked_avatar_url', p.urls))
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('hidden_subjects')
            .select('decision_id')
            .where('subject_id', '=', hashInUrl(sql.ref('blocked_avatar_url'))),
        ),
      ),
    ),
)

/** Shows these avatars again, unless another decision blocks them or the users have chosen other avatars. */
export async function showAvatars(tx: Tx, urls: readonly string[]): Promise<void> {
  if (urls.length > 0) await tx.run(show, { urls })
}

/** Forgets the blocked avatar of a user who has chosen another avatar or none. */
export async function clearBlockedAvatar(tx: Tx, id: string): Promise<void> {
  await updateRows(tx, 'users', { id }, { blocked_avatar_url: null })
}
