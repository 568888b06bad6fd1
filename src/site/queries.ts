import type { Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const admin = statement((q) =>
  q.selectFrom('users').select('id').where('role', '=', 'admin').limit(1),
)

/** True when an account has the role admin, suspended or not. */
export async function hasAdmin(db: Handle): Promise<boolean> {
  return (await db.first(admin, {})) !== undefined
}

const pages = statement((q) => q.selectFrom('pages').select(['slug', 'title']).orderBy('slug'))

/** Returns slug and title of every page. There are at most 30. */
export function listPageTitles(db: Handle) {
  return db.all(pages, {})
}
