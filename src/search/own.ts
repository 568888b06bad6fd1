import { sql } from 'kysely'
import { reactionFlags, RECORD } from '../contents/load.ts'
import { type ContentRecordRow, toContent } from '../contents/schema.ts'
import type { Handle } from '../db/handle.ts'
import { rawQuery, statement, statementFamily } from '../db/statement.ts'
import type { ContentStatus } from '../db/tables.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import { readSearch, scoreOf } from '../indexing/tokens.ts'
import type { Language } from '../messages/language.ts'
import { SemaphorePerOwner } from '../semaphore.ts'
import { CHUNK } from './collect.ts'
import { contentFields, TEXTS, type TextsRow, WITH_TEXTS } from './contents.ts'
import { Turns } from './turns.ts'

type Span = { viewerId: string; status: ContentStatus; before: string }

/**
 * Selects the author's newest CHUNK content items with ids less than `before`. Without a status, leaves out archived
 * ones.
 */
const texts = statementFamily(({ byStatus }: { byStatus: boolean }) =>
  statement((q, p: Span) =>
    rawQuery<TextsRow>(
      q,
      sql`select ${TEXTS} from (
          select id from contents where creator_id = ${p.viewerId} and id < ${p.before}
            and ${byStatus ? sql`status = ${p.status}` : sql`status <> 'archived'`}
          order by id desc limit ${sql.lit(CHUNK)}) as listed
        join content_stats as stats on stats.content_id = listed.id ${WITH_TEXTS}
        order by contents.id desc`,
    ),
  ),
)

const records = statement((q, p: { ids: string[]; viewerId: string }, dialect) =>
  rawQuery<ContentRecordRow>(
    q,
    sql`select ${RECORD}, ${reactionFlags(true, p.viewerId)}
      from content_stats as stats ${WITH_TEXTS} where ${dialect.anyOf('stats.content_id', p.ids)}
      order by contents.id desc`,
  ),
)

const AFTER_ALL = 'cnt_~'

/** Limits each author to one search at a time, because each search holds up to CHUNK articles in memory. */
const searching = new SemaphorePerOwner(1)

/**
 * Returns a page of the author's content items that match, newest first. Without `status`, searches all items except
 * archived ones. Reads the texts of all items, because the index finds only public content.
 */
export async function searchOwnContents(
  db: Handle,
  viewerId: string,
  { q, status, ...page }: PageInput & { q: string; status?: ContentStatus },
  language: Language,
) {
  const found = await searching.run(viewerId, () => listMatching(db, viewerId, q, status))
  const { limit, offset } = offsetOf(page)
  const ids = found.slice(offset, offset + limit)
  const rows = ids.length === 0 ? [] : await db.all(records, { ids, viewerId })
  return {
    feeds: rows.map((row) => toContent(row, viewerId, language)),
    pagination: paginationOf(page, found.length),
  }
}

async function listMatching(
  db: Handle,
  viewerId: string,
  q: string,
  status: ContentStatus | undefined,
): Promise<string[]> {
  const query = readSearch(q)
  const turns = new Turns()
  const found: string[] = []
  for (let before = AFTER_ALL; query.terms.length > 0; ) {
    const span = { viewerId, status: status ?? 'draft', before }
    const rows = await db.all(texts({ byStatus: status !== undefined }), span)
    for (const row of rows) {
      if (scoreOf(query, contentFields(row)) !== undefined) found.push(row.id)
      await turns.pass()
    }
    const last = rows.at(-1)
    if (!last || rows.length < CHUNK) break
    before = last.id
  }
  return found
}
