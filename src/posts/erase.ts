import { sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { FALSE, statement } from '../db/statement.ts'
import { postTree } from './queries.ts'

const byAuthor = statement((q, p: { userId: string; limit: number }) =>
  q
    .selectFrom('posts')
    .select(['id', sql<string>`coalesce(root_id, id)`.as('root_id')])
    .where('author_id', '=', p.userId)
    .where('is_deleted', '=', FALSE)
    .orderBy('id')
    .limit(p.limit),
)

const lock = statement((q, p: { ids: string[] }, dialect) =>
  dialect.locked(
    q.selectFrom('posts').select('id').where(dialect.anyOf('id', p.ids)).orderBy('id'),
  ),
)

const byIds = statement((q, p: { ids: string[] }, dialect) =>
  q
    .selectFrom('posts')
    .select(['id', sql<string>`coalesce(root_id, id)`.as('root_id')])
    .where(dialect.anyOf('id', p.ids)),
)

/** Deletes these posts of a user, hidden or not, as their author would. */
export async function erasePostsIn(tx: Tx, userId: string, ids: string[]): Promise<void> {
  const posts = await tx.all(byIds, { ids })
  await tx.all(lock, { ids: posts.map(({ root_id }) => root_id) })
  for (const { id } of posts) await postTree.remove(tx, id, userId)
}

/** Deletes up to `limit` posts of a user, as their author would. Returns their number. */
export async function erasePostsBy(tx: Tx, userId: string, limit: number): Promise<number> {
  const posts = await tx.all(byAuthor, { userId, limit })
  await tx.all(lock, { ids: posts.map(({ root_id }) => root_id) })
  for (const { id } of posts) await postTree.remove(tx, id, userId)
  return posts.length
}

const likesBy = statement((q, p: { userId: string; limit: number }) =>
  q.selectFrom('post_likes').select('post_id').where('user_id', '=', p.userId).limit(p.limit),
)

const unlike = statement((q, p: { userId: string; ids: string[] }, dialect) =>
  q
    .deleteFrom('post_likes')
    .where('user_id', '=', p.userId)
    .where(dialect.anyOf('post_id', p.ids))
    .returning('post_id'),
)

const uncount = statement((q, p: { ids: string[] }, dialect) =>
  q
    .updateTable('posts')
    .set((e) => ({ like_count: e('like_count', '-', 1) }))
    .where(dialect.anyOf('id', p.ids)),
)

/** Deletes up to `limit` likes of posts by a user. Returns their number. */
export async function erasePostLikesBy(tx: Tx, userId: string, limit: number): Promise<number> {
  const ids = (await tx.all(likesBy, { userId, limit })).map(({ post_id }) => post_id)
  if (ids.length === 0) return 0
  await tx.all(lock, { ids })
  const removed = await tx.all(unlike, { userId, ids })
  await tx.run(uncount, { ids: removed.map(({ post_id }) => post_id) })
  return ids.length
}
