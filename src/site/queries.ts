import type { Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const pages = statement((q) => q.selectFrom('pages').select(['slug', 'title']).orderBy('slug'))

/** Returns slug and title of every page. There are at most 30. */
export function listPageTitles(db: Handle) {
  return db.all(pages, {})
}
