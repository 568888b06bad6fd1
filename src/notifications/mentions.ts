import type { Tx } from '../db/handle.ts'
import { listUnsuspendedIds } from './queries.ts'

/** Matches `@handle`, except inside an email address, a link or a name on another server. */
const MENTION = /(?<![A-Za-z0-9_@/])@[A-Za-z0-9_]{3,30}(?![A-Za-z0-9_@])/g
const MENTIONS_MAX = 20

/** Returns user ids. Reads the first 20 different handles, ignores case and skips suspended users. */
export async function findMentioned(tx: Tx, texts: string[]): Promise<string[]> {
  const handles = new Set<string>()
  for (const text of texts) {
    for (const [mention] of text.matchAll(MENTION)) handles.add(mention.slice(1).toLowerCase())
  }
  if (handles.size === 0) return []
  return listUnsuspendedIds(tx, [...handles].slice(0, MENTIONS_MAX))
}
