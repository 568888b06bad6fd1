import type { Handle } from '../db/handle.ts'
import { listColumn } from '../db/rows.ts'

/** Matches `@handle`, except inside an email address, a link or a name on another server. */
const MENTION = /(?<![A-Za-z0-9_@/])@[A-Za-z0-9_]{3,30}(?![A-Za-z0-9_@])/g
const MENTIONS_MAX = 20

/**
 * Returns the ids of the users that the text mentions. Reads only the first MENTIONS_MAX distinct handles. Ignores the
 * case of handles, and skips suspended users.
 */
export async function findMentioned(db: Handle, text: string): Promise<string[]> {
  const mentions = text.match(MENTION) ?? []
  const handles = new Set(mentions.map((mention) => mention.slice(1).toLowerCase()))
  if (handles.size === 0) return []
  const handle = [...handles].slice(0, MENTIONS_MAX)
  return listColumn(db, 'users', 'id', { handle, is_suspended: 0, erased_at: null })
}
