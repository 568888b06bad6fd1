import type { Migration } from './words.ts'

/**
 * Adds the search index. `search_progress` stores the id up to which the server has indexed the existing rows.
 * Backups omit these tables, so the server also indexes all rows after a restore.
 */
export const search: Migration = {
  name: 'search',
  up: ({ int, text, key, plain, clustered, rowNumber }) => [
    `create table search_documents (
      ${rowNumber}
      id ${key} not null unique,
      version ${int} not null,
      tokens ${text} not null
    ) ${plain}`,
    `create table search_progress (
      kind ${key} primary key,
      version ${int} not null,
      reached ${key}
    ) ${clustered}`,
  ],
  triggers: ({ fullText }) => [
    ...fullText({ index: 'search_index', table: 'search_documents', column: 'tokens' }),
    // Tables without rows need no indexing. The only user of a new database is erased and is not indexed.
    ...['contents', 'users where erased_at is null', 'posts', 'tag_totals'].map(
      (rows) => `insert into search_progress (kind, version, reached)
        select '${rows.split(' ')[0]}', 1, case when exists (select 1 from ${rows}) then '' end`,
    ),
  ],
}
