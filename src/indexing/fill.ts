/** Indexes the rows that existed before the search index, or were indexed by an earlier tokeniser. */
import { sql } from 'kysely'
import { above, not } from '../db/conditions.ts'
import type { Db, Handle, Tx } from '../db/handle.ts'
import { findRow, listColumn, listRows, listRowsLocked, updateRows } from '../db/rows.ts'
import type { SearchDocumentRow, SearchedTable } from '../db/search-tables.ts'
import { type AsParams, rawQuery, statement } from '../db/statement.ts'
import { contentTokens, postTokens, tagId, tagTokens, userTokens } from './documents.ts'
import { TOKENS_VERSION } from './tokens.ts'

/** Maximum rows that a transaction indexes, which limits how long it blocks other writes. */
const BATCH = 50

const add = statement((q, p: { rows: AsParams<SearchDocumentRow>[] }, dialect) => {
  const columns = { id: 'text', version: 'integer', tokens: 'text' } as const
  return rawQuery(
    q,
    sql`insert into search_documents (id, version, tokens)
      select id, version, tokens from ${dialect.rows(p.rows, columns)} as rows where true
      on conflict (id) do update set version = excluded.version, tokens = excluded.tokens
      where search_documents.version < excluded.version`,
  )
})

type Tokens = { id: string; tokens: string }

/**
 * Functions that lock rows of a table and return their tokens. They lock before they read, so that they never
 * index texts that have been replaced or erased.
 */
const READERS: Record<SearchedTable, (tx: Tx, ids: string[]) => Promise<Tokens[]>> = {
  async contents(tx, ids) {
    await listRowsLocked(tx, 'content_stats', { content_id: ids }, 'content_id')
    const [rows, texts] = await Promise.all([
      // An empty title means that the content item is being erased.
      listRows(tx, 'contents', { id: ids, title: not('') }),
      listRows(tx, 'content_texts', { content_id: ids }),
    ])
    const bodies = new Map(texts.map(({ content_id, body }) => [content_id, body]))
    return rows.map((row) => ({
      id: row.id,
      tokens: contentTokens(row, bodies.get(row.id) ?? null),
    }))
  },
  async users(tx, ids) {
    const rows = await listRowsLocked(tx, 'users', { id: ids }, 'id')
    return rows
      .filter(({ erased_at }) => erased_at === null)
      .map((row) => ({ id: row.id, tokens: userTokens(row) }))
  },
  async posts(tx, ids) {
    const rows = await listRowsLocked(tx, 'posts', { id: ids }, 'id')
    return rows
      .filter(({ is_deleted, hidden_by }) => is_deleted === 0 || hidden_by !== null)
      .map(({ id, body, hidden_body }) => ({ id, tokens: postTokens(hidden_body ?? body) }))
  },
  async tag_totals(tx, names) {
    const rows = await listRowsLocked(tx, 'tag_totals', { tag: names }, ['tag', 'category'])
    const tags = [...new Set(rows.map(({ tag }) => tag))]
    return tags.map((tag) => ({ id: tagId(tag), tokens: tagTokens(tag) }))
  },
}

const nextTags = statement((q, p: { after: string; limit: number }) =>
  q
    .selectFrom('tag_totals')
    .select('tag')
    .distinct()
    .where('tag', '>', p.after)
    .orderBy('tag')
    .limit(p.limit),
)

async function listNext(
  db: Handle,
  kind: SearchedTable,
  after: string,
  limit: number,
): Promise<string[]> {
  if (kind !== 'tag_totals') {
    return listColumn(db, kind, 'id', { id: above(after) }, { by: 'id', limit })
  }
  return (await db.all(nextTags, { after, limit })).map(({ tag }) => tag)
}

/** Indexes the next rows of a table. Returns false when no row is left, or a newer tokeniser has indexed the table. */
function fillSome(db: Db, kind: SearchedTable, limit: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const progress = await findRow(tx, 'search_progress', { kind })
    if (!progress || progress.version > TOKENS_VERSION) return false
    const reached = progress.version < TOKENS_VERSION ? '' : progress.reached
    if (reached === null) return false
    const ids = await listNext(tx, kind, reached, limit)
    const rows = (await READERS[kind](tx, ids)).map((row) => ({ ...row, version: TOKENS_VERSION }))
    await tx.run(add, { rows })
    const last = ids.length < limit ? null : (ids.at(-1) ?? null)
    await updateRows(tx, 'search_progress', { kind }, { version: TOKENS_VERSION, reached: last })
    return last !== null
  })
}

/** Pages of the index that one step of a merge writes. */
const MERGE_PAGES = 200

/**
 * Merges the segments of SQLite's FTS5 index in short transactions. Each indexed batch adds a segment, and
 * every search reads all segments.
 */
async function mergeParts(db: Db): Promise<void> {
  if (db.engine !== 'sqlite') return
  // A negative number starts a merge of all segments, and a positive one continues it.
  for (let pages = -MERGE_PAGES; ; pages = MERGE_PAGES) {
    const changes = await db.script(async (run) => {
      const count = async () => Number((await run('select total_changes() as n'))[0]?.['n'])
      const before = await count()
      await run(`insert into search_index (search_index, rank) values ('merge', ${pages})`)
      return (await count()) - before
    })
    // The insert itself counts as one change.
    if (changes < 2) return
  }
}

/** Indexes all rows that are not indexed yet. Continues where an interrupted run stopped. */
export async function fillSearchIndex(db: Db, batch: number = BATCH): Promise<void> {
  let batches = 0
  for (const kind of Object.keys(READERS) as SearchedTable[]) {
    while (await fillSome(db, kind, batch)) batches++
  }
  if (batches > 0) await mergeParts(db)
}
