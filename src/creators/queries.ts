import type { Handle } from '../db/handle.ts'
import { type Range, statement, variants, YES } from '../db/statement.ts'

const profile = statement((q, p: { handle: string; viewerId: string }) =>
  q
    .selectFrom('users')
    .innerJoin('user_counts as counts', 'counts.user_id', 'users.id')
    .leftJoin('follows', (join) =>
      join.onRef('follows.creator_id', '=', 'users.id').on('follows.follower_id', '=', p.viewerId),
    )
    .select([
      'users.id',
      'users.handle',
      'users.display_name',
      'users.avatar_url',
      'users.bio',
      'users.created_at',
      'counts.follower_count',
      'counts.following_count',
      'counts.content_count',
      'follows.created_at as followed_at',
    ])
    .where('users.handle', '=', p.handle)
    .where('users.is_suspended', '=', 0),
)

/** A person who is not suspended, by the handle in lower case, as the viewer sees them. */
export function findCreator(db: Handle, handle: string, viewerId: string | null) {
  return db.first(profile, { handle, viewerId: viewerId ?? '' })
}

const works = statement((q, p: Range & { creatorId: string }) =>
  q
    .selectFrom('content_stats')
    .select('content_id')
    .where('creator_id', '=', p.creatorId)
    .where('is_public', '=', YES)
    .orderBy('published_at', 'desc')
    .orderBy('content_id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
)

/** Ids of a person's public works, newest first. */
export async function listWorksOf(db: Handle, creatorId: string, range: Range): Promise<string[]> {
  const rows = await db.all(works, { creatorId, ...range })
  return rows.map((row) => row.content_id)
}

export type Side = 'followers' | 'following'

/** Whose list it is, whom it shows, and the count of all its rows. */
const SIDES = {
  followers: { owner: 'creator_id', shown: 'follower_id', count: 'follower_count' },
  following: { owner: 'follower_id', shown: 'creator_id', count: 'following_count' },
} as const

const people = variants((side: Side) => {
  const { owner, shown } = SIDES[side]
  return statement((q, p: Range & { userId: string }) =>
    q
      .selectFrom('follows')
      .crossJoin('users')
      .select(['users.id', 'users.handle', 'users.display_name', 'users.avatar_url'])
      .where(`follows.${owner}`, '=', p.userId)
      .whereRef('users.id', '=', `follows.${shown}`)
      .where('users.is_suspended', '=', 0)
      .orderBy('follows.created_at', 'desc')
      .orderBy(`follows.${shown}`, 'desc')
      .limit(p.limit)
      .offset(p.offset),
  )
})

/** A person's followers, or whom the person follows; the newest follow first, nobody suspended. */
export function listPeople(db: Handle, side: Side, userId: string, range: Range) {
  return db.all(people(side), { userId, ...range })
}

const total = variants((side: Side) => {
  const { owner, shown, count } = SIDES[side]
  return statement((q, p: { userId: string }) =>
    q
      .selectFrom('user_counts')
      .select((e) => [
        e(
          count,
          '-',
          q
            .selectFrom('users')
            .crossJoin('follows')
            .select((sub) => sub.fn.countAll<number>().as('count'))
            .where('users.is_suspended', '=', YES)
            .where(`follows.${owner}`, '=', p.userId)
            .whereRef(`follows.${shown}`, '=', 'users.id'),
        ).as('count'),
      ])
      .where('user_id', '=', p.userId),
  )
})

/**
 * The number of people that `listPeople` shows: the count of all rows less the suspended. There are
 * few of these, while a creator may have a million followers, whom nobody should count.
 */
export async function countPeople(db: Handle, side: Side, userId: string): Promise<number> {
  return (await db.first(total(side), { userId }))?.count ?? 0
}
