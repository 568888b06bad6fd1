import type { Tx } from '../db/handle.ts'
import { listUnsuspendedIds } from './queries.ts'

/** `@handle`, but no part of an e-mail address, a link or a name on another server. */
const MENTION = /(?<![A-Za-z0-9_@/])@[A-Za-z0-9_]{3,30}(?![A-Za-z0-9_@])/g
/** Handles looked at in the texts of one act. */
const MENTIONS_MAX = 20

/** The ids of the people the texts mention: the first 20 handles, without regard to case, nobody suspended. */
export async function findMentioned(tx: Tx, texts: string[]): Promise<string[]> {
  const handles = new Set<string>()
  for (const text of texts) {
    for (const [mention] of text.matchAll(MENTION)) handles.add(mention.slice(1).toLowerCase())
  }
  if (handles.size === 0) return []
  return listUnsuspendedIds(tx, [...handles].slice(0, MENTIONS_MAX))
}
