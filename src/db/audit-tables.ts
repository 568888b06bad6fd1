export type AuditAction =
  | 'role_changed'
  | 'suspended'
  | 'suspension_reason_changed'
  | 'suspension_lifted'
  | 'job_ended'

export interface AuditEntryRow {
  id: string
  /** Id of the admin who acted; null when the operator acted on the command line. */
  actor_id: string | null
  target_id: string
  action: AuditAction
  /** JSON of the changed fields: `before` and `after` the action. */
  before: string
  after: string
  reason: string | null
  request_id: string | null
  created_at: number
}
