/** The ids of a person's own lists: works made, and public works liked or bookmarked. */
import { sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { type Query, type Range, statement, variants, YES } from '../db/statement.ts'
import type { ContentStatus } from '../db/tables.ts'
import type { Mark } from '../social/queries.ts'
import { countOf, idsOf } from './queries.ts'

type Author = { creatorId: string; status: ContentStatus }

const madeBy = (q: Query, p: Author, one: boolean) => {
  const works = q.selectFrom('contents').where('creator_id', '=', p.creatorId)
  return one
    ? works.where('status', '=', p.status)
    : works.where('status', '<>', sql.lit<ContentStatus>('archived'))
}
const authored = variants(({ one }: { one: boolean }) =>
  statement((q, p: Author & Range) =>
    madeBy(q, p, one)
      .select('id as content_id')
      .orderBy('id', 'desc')
      .limit(p.limit)
      .offset(p.offset),
  ),
)
const authoredTotal = variants(({ one }: { one: boolean }) =>
  statement((q, p: Author) => madeBy(q, p, one).select((e) => e.fn.countAll<number>().as('count'))),
)

/** A person's works in this status, or all but the archived; newest first. */
export async function listAuthored(
  db: Handle,
  creatorId: string,
  status: ContentStatus | undefined,
  range: Range,
): Promise<string[]> {
  const params = { creatorId, status: status ?? 'archived', ...range }
  return idsOf(await db.all(authored({ one: status !== undefined }), params))
}

export function countAuthored(
  db: Handle,
  creatorId: string,
  status: ContentStatus | undefined,
): Promise<number> {
  const params = { creatorId, status: status ?? 'archived' }
  return countOf(db.first(authoredTotal({ one: status !== undefined }), params))
}

const markedBy = (q: Query, p: { userId: string }, table: Mark) =>
  q
    .selectFrom(`${table} as marks`)
    .crossJoin('content_stats as works')
    .where('marks.user_id', '=', p.userId)
    .whereRef('works.content_id', '=', 'marks.content_id')
    .where('works.is_public', '=', YES)

const marked = variants((table: Mark) =>
  statement((q, p: Range & { userId: string }) =>
    markedBy(q, p, table)
      .select('marks.content_id')
      .orderBy('marks.created_at', 'desc')
      .orderBy('marks.content_id', 'desc')
      .limit(p.limit)
      .offset(p.offset),
  ),
)
const markedTotal = variants((table: Mark) =>
  statement((q, p: { userId: string }) =>
    markedBy(q, p, table).select((e) => e.fn.countAll<number>().as('count')),
  ),
)

/** Public works a person liked or bookmarked, the newest mark first. */
export async function listMarked(
  db: Handle,
  mark: Mark,
  userId: string,
  range: Range,
): Promise<string[]> {
  return idsOf(await db.all(marked(mark), { userId, ...range }))
}

export function countMarked(db: Handle, mark: Mark, userId: string): Promise<number> {
  return countOf(db.first(markedTotal(mark), { userId }))
}
