import { type ExpressionBuilder, sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { listRows, listRowsLocked } from '../db/rows.ts'
import { type Query, statement, statementFamily } from '../db/statement.ts'
import type { ContentRow, Tables } from '../db/tables.ts'
import type { ContentAccess } from '../db/visibility-tables.ts'

/** MIME type of posters. Renditions of other types are playable. */
export const POSTER_TYPE = 'image/webp'

const files = statement((q, p: { contentId: string }) =>
  q
    .selectFrom('content_media as media')
    .innerJoin('files', 'files.sha256', 'media.file_sha256')
    .select([
      'files.sha256',
      'files.mime_type',
      'files.audio_codec',
      'files.size_bytes',
      'files.width',
      'files.height',
      'files.duration_ms',
    ])
    .where('media.content_id', '=', p.contentId)
    .orderBy('media.position'),
)

export function listFilesOf(db: Handle, contentId: string) {
  return db.all(files, { contentId })
}

/**
 * Returns the renditions of these files, ordered by file hash. A file's poster comes first, then its playable
 * renditions, the best first.
 */
export async function listRenditions(db: Handle, hashes: readonly string[]) {
  return hashes.length === 0
    ? []
    : listRows(db, 'renditions', { file_sha256: hashes }, { by: ['file_sha256', 'position'] })
}

const concernedBy = (q: Query, p: { sha256: string }) =>
  q
    .selectFrom('contents')
    .select('id')
    .where('id', 'in', (e) =>
      e
        .selectFrom('content_media')
        .select('content_id')
        .where('content_media.file_sha256', '=', p.sha256),
    )

const concerned = statement((q, p: { sha256: string; limit: number }) =>
  concernedBy(q, p)
    .orderBy(sql`case when status = 'processing' then 0 else 1 end`)
    .orderBy('id')
    .limit(p.limit),
)

/** Returns the ids of up to `limit` content items that use the file, those in status `processing` first. */
export async function listConcerned(tx: Tx, sha256: string, limit: number): Promise<string[]> {
  return (await tx.all(concerned, { sha256, limit })).map(({ id }) => id)
}

const concernedAfter = statement((q, p: { sha256: string; after: string; limit: number }) =>
  concernedBy(q, p).where('id', '>', p.after).orderBy('id').limit(p.limit),
)

/**
 * Returns the ids of up to `limit` content items whose media include the file: those greater than `after`, in
 * ascending order.
 */
export async function listConcernedAfter(
  db: Handle,
  sha256: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  return (await db.all(concernedAfter, { sha256, after, limit })).map(({ id }) => id)
}

/** Locks the counts of these content items, ordered by id to prevent deadlocks. */
export async function lockContents(tx: Tx, ids: readonly string[]): Promise<void> {
  await listRowsLocked(tx, 'content_stats', { content_id: ids }, 'content_id')
}

/**
 * Conversions that delay publication: `all` unfinished ones, or only the `running` ones, which have a valid
 * lease.
 */
export type Awaits = 'all' | 'running'

function liveJobs(e: ExpressionBuilder<Tables, 'contents'>, awaits: Awaits, now: number) {
  const live = e
    .selectFrom('content_media as media')
    .innerJoin('jobs', 'jobs.subject', 'media.file_sha256')
    .select('jobs.id')
    .where('jobs.kind', '=', sql.lit('conversion' as const))
    .whereRef('media.content_id', '=', 'contents.id')
  return awaits === 'all'
    ? live.where('jobs.due_at', 'is not', null)
    : live.where('jobs.lease', 'is not', null).where('jobs.due_at', '>', now)
}

const states = statementFamily(({ awaits }: { awaits: Awaits }) =>
  statement((q, p: { ids: readonly string[]; now: number }, dialect) =>
    q
      .selectFrom('contents')
      .select(['id', 'creator_id', 'title', 'status', 'media', 'thumbnail_url', 'updated_at'])
      .select('publish_at')
      .select((e) => [
        e.exists(liveJobs(e, awaits, p.now)).as('waits'),
        e
          .selectFrom('content_media as media')
          .innerJoin('jobs', 'jobs.subject', 'media.file_sha256')
          .select('jobs.error')
          .where('jobs.kind', '=', sql.lit('conversion' as const))
          .whereRef('media.content_id', '=', 'contents.id')
          .where('jobs.error', 'is not', null)
          .orderBy('media.position')
          .limit(1)
          .as('error'),
        e
          .selectFrom('content_media as media')
          .innerJoin('renditions', 'renditions.file_sha256', 'media.file_sha256')
          .select('renditions.path')
          .where('renditions.mime_type', '=', sql.lit(POSTER_TYPE))
          .whereRef('media.content_id', '=', 'contents.id')
          .orderBy('media.position')
          .limit(1)
          .as('poster_path'),
      ])
      .where(dialect.anyOf('contents.id', p.ids))
      .orderBy('contents.id'),
  ),
)

/**
 * Returns the conversion states of these content items:
 *
 * - `waits`: true while a conversion that `awaits` includes is unfinished
 * - `error`: the first error among the item's files
 * - `poster_path`: the first poster among the item's files
 */
export function listStates(
  tx: Tx,
  ids: readonly string[],
  { awaits, now }: { awaits: Awaits; now: number },
) {
  return tx.all(states({ awaits }), { ids, now })
}

type ConvertedState = Pick<
  ContentRow & ContentAccess,
  'id' | 'status' | 'media' | 'thumbnail_url' | 'published_at' | 'publish_at' | 'updated_at'
>

const updateState = statement((q, p: { [K in keyof ConvertedState]: ConvertedState[K] }) =>
  q
    .updateTable('contents')
    .set({
      status: p.status,
      media: p.media,
      thumbnail_url: p.thumbnail_url,
      published_at: sql<number>`coalesce(cast(${p.published_at} as bigint), published_at)`,
      publish_at: p.publish_at,
      updated_at: p.updated_at,
    })
    .where('id', '=', p.id),
)

/** Stores the state after a conversion. Leaves `published_at` unchanged when the new value is null. */
export async function updateConverted(tx: Tx, row: ConvertedState): Promise<void> {
  await tx.run(updateState, { ...row })
}

const stranded = statementFamily(({ awaits }: { awaits: Awaits }) =>
  statement((q, p: { now: number; limit: number }) =>
    q
      .selectFrom('contents')
      .select('id')
      .where('status', '=', sql.lit('processing' as const))
      .where((e) => e.not(e.exists(liveJobs(e, awaits, p.now))))
      .orderBy('id')
      .limit(p.limit),
  ),
)

/** Returns the ids of up to `limit` `processing` content items whose publication no conversion delays (`Awaits`). */
export async function listStranded(
  db: Handle,
  { awaits, now, limit }: { awaits: Awaits; now: number; limit: number },
): Promise<string[]> {
  return (await db.all(stranded({ awaits }), { now, limit })).map(({ id }) => id)
}
