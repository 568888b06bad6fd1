/** Avatars whose files a moderator has blocked. `avatar_url` is null while the file is blocked. */
import { updateRows } from '../db/rows.ts'
import { sql } from 'kysely'
import { hashInUrl } from '../db/blocked-files.ts'
import type { Tx } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

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

/** Shows these avatars again, unless another decision blocks them or their users chose others. */
export async function showAvatars(tx: Tx, urls: readonly string[]): Promise<void> {
  if (urls.length > 0) await tx.run(show, { urls })
}

/** Deletes the stored blocked avatar of a user who chose another one or none. */
export async function clearBlockedAvatar(tx: Tx, id: string): Promise<void> {
  await updateRows(tx, 'users', { id }, { blocked_avatar_url: null })
}
