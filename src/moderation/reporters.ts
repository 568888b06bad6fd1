import type { Tx } from '../db/handle.ts'
import type { CaseRow } from '../db/moderation-tables.ts'
import type { NewNotification } from '../notifications/notify.ts'
import { updateAsDecided } from './report-queries.ts'
import { listActive } from './subject-queries.ts'

/**
 * Closes an open case and its reports. Returns notifications for the reporters who are not suspended, without
 * the name of the moderator. The caller holds the lock of the case.
 */
export async function closeCase(
  tx: Tx,
  { id }: Pick<CaseRow, 'id'>,
  decisionId: string,
  outcome: 'actioned' | 'dismissed',
  now: number,
): Promise<NewNotification[]> {
  const reports = await updateAsDecided(tx, id, decisionId, outcome, now)
  const reporters = reports.flatMap(({ reporter_id }) => reporter_id ?? [])
  const active = new Set(reporters.length > 0 ? await listActive(tx, reporters) : [])
  return reports.flatMap(({ id: subjectId, reporter_id: to }): NewNotification[] => {
    if (to === null || !active.has(to)) return []
    const kind = `system.report_${outcome}` as const
    return [{ to, type: 'system', kind, actorId: null, subjectId, link: null }]
  })
}
