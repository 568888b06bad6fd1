/** Checks that the tokens of the search index match the texts. */
import type { Run, ScriptRow } from '../db/handle.ts'
import type { SearchedTable } from '../db/search-tables.ts'
import type { ContentRow, UserRow } from '../db/tables.ts'
import { contentTokens, postTokens, tagTokens, userTokens } from '../indexing/documents.ts'
import { TOKENS_VERSION } from '../indexing/tokens.ts'
import type { Drift } from './examine.ts'

const BATCH = 500

interface Searched {
  /** Selects the `id` of each document that must exist, and the texts from which its tokens are made. */
  sql: string
  tokens(row: ScriptRow): string
}

const SEARCHED: Record<SearchedTable, Searched> = {
  contents: {
    // The title of a content item is empty only during its erasure.
    sql: `select contents.id, title, description, tags, category, type, body from contents
      left join content_texts on content_texts.content_id = contents.id where title <> ''`,
    tokens: (row) => contentTokens(row as unknown as ContentRow, row['body'] as string | null),
  },
  users: {
    sql: 'select id, handle, display_name, bio from users where erased_at is null',
    tokens: (row) => userTokens(row as unknown as UserRow),
  },
  posts: {
    sql: `select id, coalesce(hidden_body, body) as body from posts
      where is_deleted = 0 or hidden_by is not null`,
    tokens: (row) => postTokens(String(row['body'])),
  },
  tag_totals: {
    sql: "select distinct '#' || tag as id, tag from tag_totals",
    tokens: (row) => tagTokens(String(row['tag'])),
  },
}

/**
 * Compares the search documents of a table with its texts and adds the differences to `drift`. Skips texts that the
 * server still has to index.
 */
async function compare(run: Run, kind: SearchedTable, drift: Drift): Promise<void> {
  const { sql, tokens } = SEARCHED[kind]
  const [progress] = await run(
    `select version, reached from search_progress where kind = '${kind}'`,
  )
  const isFilling = progress?.['reached'] !== null || Number(progress['version']) < TOKENS_VERSION
  for (let after = ''; ; ) {
    const rows = await run(`select texts.*, documents.version, documents.tokens
      from (${sql}) as texts left join search_documents as documents on documents.id = texts.id
      where texts.id > '${after.replaceAll("'", "''")}' order by texts.id limit ${BATCH}`)
    for (const row of rows) {
      const isCurrent = Number(row['version']) === TOKENS_VERSION
      if (isCurrent ? row['tokens'] === tokens(row) : isFilling) continue
      drift.drift++
      drift.example ??= String(row['id'])
    }
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = String(last['id'])
  }
}

/**
 * Returns two results: the number of documents whose tokens are wrong or missing, and the number of documents whose
 * text no longer exists.
 */
export async function examineDocuments(run: Run): Promise<Drift[]> {
  const tokens: Drift = { name: 'search_documents.tokens', drift: 0, example: null }
  for (const kind of Object.keys(SEARCHED) as SearchedTable[]) await compare(run, kind, tokens)
  const expected = Object.values(SEARCHED).map(({ sql }) => `select id from (${sql}) as texts`)
  const [row] = await run(`select count(*) as drift, min(id) as example from search_documents
    where id not in (${expected.join(' union all ')})`)
  return [
    tokens,
    {
      name: 'search_documents: only rows with texts',
      drift: Number(row?.['drift']),
      example: (row?.['example'] as string | null) ?? null,
    },
  ]
}
