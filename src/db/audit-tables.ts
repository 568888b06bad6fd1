export const AUDIT_ACTIONS = [
  'role_changed',
  'permissions_changed',
  'suspended',
  'suspension_reason_changed',
  'suspension_lifted',
  'job_ended',
  'reset_link_created',
  'erased',
  'site_set_up',
  'site_changed',
  'rules_changed',
  'page_changed',
  'page_deleted',
  'announcement_created',
  'announcement_changed',
  'announcement_deleted',
  'pick_changed',
  'pick_removed',
  'tag_hidden',
  'tag_shown',
  'case_assigned',
  'case_unassigned',
  'decision_made',
  'decision_undone',
  'appeal_answered',
  'second_factor_removed',
  'application_approved',
  'application_rejected',
  'invite_created',
  'invite_revoked',
  'ban_created',
  'ban_changed',
  'ban_removed',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export interface AuditEntryRow {
  id: string
  /** Id of the user who acted; null when the operator acted on the command line. */
  actor_id: string | null
  target_kind: string
  target_id: string
  action: AuditAction
  /** JSON object with the previous values of the changed fields; JSON `null` when the target did not exist. */
  before: string
  /** JSON object with the new values of the changed fields; JSON `null` when the action deleted the target. */
  after: string
  reason: string | null
  request_id: string | null
  created_at: number
}
