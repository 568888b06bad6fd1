import { type Act, writeAuditEntry } from '../audit/rules.ts'
import { findContentRecord, loadContents } from '../contents/load.ts'
import { toContent } from '../contents/schema.ts'
import type { Handle } from '../db/handle.ts'
import type { PickRow } from '../db/site-tables.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { lockSite } from '../settings/queries.ts'
import { listPickRows, listShown, replacePicks } from './queries.ts'
import { type PickInput, PICKS_MAX, toPick } from './schema.ts'

/** Returns the picks in order. Omits content that is not public or that the viewer's lists omit. */
export async function listPicks(db: Handle, viewer: Viewer | null, now: number) {
  const rows = await listShown(db, now)
  const contents = await loadContents(
    db,
    rows.map(({ content_id }) => content_id),
    viewer?.id ?? null,
  )
  const found = new Map(contents.map((content) => [content.id, content]))
  return rows.flatMap((row) => {
    const content = found.get(row.content_id)
    return content ? [toPick(row, content)] : []
  })
}

/**
 * Adds or replaces a pick, and removes picks that have ended. Errors: CONTENT_NOT_FOUND unless the content is
 * public; 422 on `until`; LIMIT_REACHED.
 */
export async function updatePick(
  db: Handle,
  act: Act,
  contentId: string,
  { note, until, position }: PickInput,
  now: number,
) {
  const ends = typeof until === 'string' ? Date.parse(until) : null
  if (ends !== null && ends <= now) throw invalid('until', 'invalid.past')
  return db.transaction(async (tx) => {
    await lockSite(tx)
    const content = await findContentRecord(tx, contentId, null)
    if (!content?.is_public) throw new ApiError('CONTENT_NOT_FOUND')
    const rows = await listPickRows(tx)
    const before = rows.find(({ content_id }) => content_id === contentId)
    const others = rows.filter((row) => row !== before && (row.until === null || row.until > now))
    if (others.length >= PICKS_MAX) throw new ApiError('LIMIT_REACHED')
    const place = position ?? (before ? rows.indexOf(before) : others.length)
    const row: PickRow = {
      content_id: contentId,
      position: Math.min(place, others.length),
      note: note || null,
      until: ends,
      created_at: before?.created_at ?? now,
    }
    await replacePicks(tx, others.toSpliced(row.position, 0, row))
    const change = {
      action: 'pick_changed' as const,
      target: { kind: 'content', id: contentId },
      before: before ? stateOf(before) : null,
      after: stateOf(row),
    }
    await writeAuditEntry(tx, act, change, now)
    return toPick(row, toContent(content, null))
  })
}

const stateOf = ({ note, until, position }: PickRow) => ({ note, until, position })

/**
 * Removes the pick of a content item, if there is one. Errors: CONTENT_NOT_FOUND when the content item does not
 * exist.
 */
export function deletePick(db: Handle, act: Act, contentId: string, now: number): Promise<void> {
  return db.transaction(async (tx) => {
    await lockSite(tx)
    const rows = await listPickRows(tx)
    const before = rows.find(({ content_id }) => content_id === contentId)
    if (!before) {
      if (!(await findContentRecord(tx, contentId, null))) throw new ApiError('CONTENT_NOT_FOUND')
      return
    }
    await replacePicks(
      tx,
      rows.filter((row) => row !== before),
    )
    const change = {
      action: 'pick_removed' as const,
      target: { kind: 'content', id: contentId },
      before: stateOf(before),
      after: null,
    }
    await writeAuditEntry(tx, act, change, now)
  })
}
