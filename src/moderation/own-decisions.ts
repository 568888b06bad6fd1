/** Decisions as the affected users see them. */
import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import type { Language } from '../messages/language.ts'
import {
  findDecisionRecord,
  isAffectedBy,
  listAppealsAgainst,
  listDecisionsAbout,
} from './decision-queries.ts'
import { type DecisionListRow, toOwnDecision } from './decision-schema.ts'

/** Returns a page of the decisions that affect the viewer, newest first. */
export async function listOwnDecisions(
  db: Handle,
  viewer: Viewer,
  page: PageInput,
  language: Language,
) {
  const { decisions, total } = await listDecisionsAbout(db, viewer.id, offsetOf(page))
  return {
    decisions: await toOwn(db, viewer, decisions, language),
    pagination: paginationOf(page, total),
  }
}

/**
 * Returns a decision that affects the viewer. Errors: 404 DECISION_NOT_FOUND, also when the decision does not
 * affect the viewer.
 */
export async function getOwnDecision(db: Handle, viewer: Viewer, id: string, language: Language) {
  const isOwn = await isAffectedBy(db, viewer.id, id)
  const row = isOwn ? await findDecisionRecord(db, id) : undefined
  const [record] = row ? await toOwn(db, viewer, [row], language) : []
  if (!record) throw new ApiError('DECISION_NOT_FOUND')
  return record
}

async function toOwn(
  db: Handle,
  viewer: Viewer,
  rows: readonly DecisionListRow[],
  language: Language,
) {
  const appeals = await listAppealsAgainst(
    db,
    viewer.id,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const appeal = appeals.find(({ decision_id }) => decision_id === row.id)
    return toOwnDecision(row, appeal, language)
  })
}
