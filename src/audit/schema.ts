import { type Static, Type } from 'typebox'
import { iso } from '../clock.ts'
import { toUserRef, UserRef, type UserRefRow } from '../users/schema.ts'
import { AUDIT_ACTIONS, type AuditEntryRow } from '../db/audit-tables.ts'
import { choice, textOrNull, time } from '../http/fields.ts'
import { PageQuery, Pagination } from '../http/page.ts'

const state = (description: string) =>
  Type.Unsafe<object | null>({ type: ['object', 'null'], additionalProperties: true, description })

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    actor: Type.Union([UserRef, Type.Null()], {
      description: 'Null when the operator acted on the command line',
    }),
    action: choice(AUDIT_ACTIONS),
    target: Type.Object({ kind: Type.String(), id: Type.String() }, { title: 'AuditTarget' }),
    before: state('The changed fields before the action; null when the target did not exist'),
    after: state('The changed fields after the action; null when the target no longer exists'),
    reason: textOrNull(),
    request_id: textOrNull({
      description: '`meta.request_id` of the change; null when the operator made it',
    }),
    created_at: time(),
  },
  { title: 'AuditEntry' },
)

export const AuditQuery = Type.Object({
  actor: Type.Optional(Type.String({ description: 'Id of the user who acted' })),
  target: Type.Optional(Type.String({ description: 'Id of the target' })),
  action: Type.Optional(choice(AUDIT_ACTIONS)),
  ...PageQuery,
})

export const Audit = Type.Object({ audit: Type.Array(AuditEntry), pagination: Pagination })

/** An audit entry joined with its actor. The actor fields are null when the operator acted. */
export type AuditListRow = AuditEntryRow & {
  [K in keyof Omit<UserRefRow, 'id'>]: UserRefRow[K] | null
}

export function toAuditEntry(row: AuditListRow): Static<typeof AuditEntry> {
  const {
    id,
    action,
    reason,
    request_id,
    actor_id,
    handle,
    display_name,
    avatar_url,
    avatar_sizes,
  } = row
  return {
    id,
    actor:
      actor_id !== null && handle !== null && display_name !== null
        ? toUserRef({ id: actor_id, handle, display_name, avatar_url, avatar_sizes })
        : null,
    action,
    target: { kind: row.target_kind, id: row.target_id },
    before: JSON.parse(row.before),
    after: JSON.parse(row.after),
    reason,
    request_id,
    created_at: iso(row.created_at),
  }
}
