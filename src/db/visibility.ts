/** SQL conditions that decide who can open content. Statements of all features use them. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'

type Id = string | RawBuilder<string>

/**
 * Returns SQL that is true when the viewer may open the content and act on it. Content for followers is open to
 * followers and its creator, public and unlisted content to everyone. Without a session the viewer's id is empty.
 * `stats` is the name of `content_stats` in the statement.
 */
export function isOpenTo(viewerId: Id, stats = 'content_stats'): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${stats}.${name}`)
  return sql`(${column('is_public')} = 1 or ${column('shared_with')} = 'anyone'
    or (${column('shared_with')} = 'followers' and (${column('creator_id')} = ${viewerId}
      or exists (select 1 from follows as follow
        where follow.creator_id = ${column('creator_id')} and follow.follower_id = ${viewerId}))))`
}

/** True for content that some viewer besides the author and moderators may open. */
export function isOpen(stats: { is_public: number; shared_with: string | null }): boolean {
  return stats.is_public === 1 || stats.shared_with !== null
}

/**
 * Returns SQL that is true for public content and content for followers, as the feed `following` lists it. It does not
 * check that the viewer follows the creator, so the statement must join `follows`.
 */
export function isForFollowers(stats: string): RawBuilder<SqlBool> {
  return sql`(${sql.ref(`${stats}.is_public`)} = 1 or ${sql.ref(`${stats}.shared_with`)} = 'followers')`
}
