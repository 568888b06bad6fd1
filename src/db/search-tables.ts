export interface SearchTables {
  search_documents: SearchDocumentRow
  search_progress: SearchProgressRow
}

/** Tokens of a content item, user, post or tag, for the full-text index. */
export interface SearchDocumentRow {
  /** Id of the indexed row; for a tag, `#` and the tag. */
  id: string
  /** Version of the tokeniser. */
  version: number
  /** Distinct tokens separated by spaces. The first letter of a token is the kind of the text (`KINDS`). */
  tokens: string
}

export type SearchedTable = 'contents' | 'users' | 'posts' | 'tag_totals'

/** Progress of indexing the rows of a table that existed before the index, or before a new tokeniser version. */
export interface SearchProgressRow {
  kind: SearchedTable
  version: number
  /** Id of the last indexed row, or the last indexed tag. Empty at the start, and null when all rows are indexed. */
  reached: string | null
}
