import type { Tx } from '../db/handle.ts'
import type { AuditAction } from '../db/audit-tables.ts'
import { newId } from '../db/ids.ts'
import { findLastAuditId, insertAuditEntry } from './queries.ts'

/** Author, request id and stated reason of a change. */
export interface Act {
  /** Null when the operator acted on the command line. */
  actorId: string | null
  /** `meta.request_id` of the API response; null for a change on the command line. */
  requestId: string | null
  reason: string | null
}

/** Returns the author, request id and reason of a change that a request makes. */
export function actOf(
  { id: actorId }: { id: string },
  requestId: string,
  reason: string | null = null,
): Act {
  return { actorId, requestId: `req_${requestId}`, reason }
}

export interface Change {
  action: AuditAction
  target: { kind: string; id: string }
  /** The changed fields before the change; null when there were none. */
  before: object | null
  /** The changed fields after the change; null when there are none, as after a deletion. */
  after: object | null
}

/**
 * Writes an audit entry and returns its id. Call it in the transaction that makes the change, while the target is
 * locked. The ids of a target's entries then ascend in the order of the changes.
 */
export async function writeAuditEntry(
  tx: Tx,
  { actorId, requestId, reason }: Act,
  { action, target, before, after }: Change,
  now: number,
): Promise<string> {
  const id = newId('aud', now, await findLastAuditId(tx, target.id))
  await insertAuditEntry(tx, {
    id,
    actor_id: actorId,
    target_kind: target.kind,
    target_id: target.id,
    action,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
    reason,
    request_id: requestId,
    created_at: now,
  })
  return id
}
