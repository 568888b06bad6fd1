import type { Migration } from './words.ts'

/** On SQLite, adds new search documents to the full-text index in batches. */
export const searchBatches: Migration = {
  name: 'search batches',
  up: () => [],
  triggers: ({ batchFullText }) =>
    batchFullText({ index: 'search_index', table: 'search_documents', column: 'tokens', size: 64 }),
}
