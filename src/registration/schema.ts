import { type Static, Type } from 'typebox'
import { iso, isoOrNull } from '../clock.ts'
import {
  APPLICATION_STATUSES,
  type ApplicationRow,
  BAN_KINDS,
  type BanRow,
  type InviteRow,
} from '../db/registration-tables.ts'
import { checked, choice, secret, textOrNull, time, timeOrNull } from '../http/fields.ts'
import { PageQuery, Pagination } from '../http/page.ts'
import { checkTime } from '../http/times.ts'
import { toUserRef, UserRef, type UserRefRow } from '../users/schema.ts'

const Status = choice(APPLICATION_STATUSES)

const Application = Type.Object(
  {
    id: Type.String(),
    handle: Type.String(),
    email: Type.String(),
    display_name: Type.String(),
    application: Type.String({ description: 'What the applicant wrote' }),
    ip: textOrNull(),
    status: Status,
    reason: textOrNull(),
    decided_by: Type.Union([UserRef, Type.Null()]),
    created_at: time(),
    decided_at: timeOrNull(),
  },
  { title: 'Application' },
)
export const OneApplication = Type.Object({ application: Application })
export const Applications = Type.Object({
  applications: Type.Array(Application),
  pagination: Pagination,
})
export const ApplicationsQuery = Type.Object({ status: Type.Optional(Status), ...PageQuery })
export const DecisionInput = Type.Optional(
  Type.Object(
    { reason: Type.Optional(textOrNull({ maxLength: 1000 })) },
    { examples: [{ reason: 'Welcome!' }] },
  ),
)

export type DecidedRow = ApplicationRow & {
  decider_handle: string | null
  decider_name: string | null
  decider_avatar: string | null
  decider_avatar_sizes: string | null
}

export function toApplication(row: DecidedRow): Static<typeof Application> {
  const { decided_by, decider_handle, decider_name, decider_avatar } = row
  return {
    id: row.id,
    handle: row.handle,
    email: row.email,
    display_name: row.display_name,
    application: row.application,
    ip: row.ip,
    status: row.status,
    reason: row.reason,
    decided_by:
      decided_by !== null && decider_handle !== null && decider_name !== null
        ? toUserRef({
            id: decided_by,
            handle: decider_handle,
            display_name: decider_name,
            avatar_url: decider_avatar,
            avatar_sizes: row.decider_avatar_sizes,
          })
        : null,
    created_at: iso(row.created_at),
    decided_at: isoOrNull(row.decided_at),
  }
}

const invite = {
  id: Type.String(),
  code: secret(
    textOrNull({ description: '`XXXXX-XXXXX`; only in the response that creates the invite' }),
  ),
  max_uses: Type.Integer(),
  use_count: Type.Integer(),
  users: Type.Array(UserRef, { description: 'Users who registered with it' }),
  expires_at: time(),
  revoked_at: timeOrNull(),
  note: textOrNull(),
  created_by: UserRef,
  created_at: time(),
}
const Invite = Type.Object(invite, { title: 'Invite' })
export const OneInvite = Type.Object({ invite: Invite })
export const Invites = Type.Object({ invites: Type.Array(Invite), pagination: Pagination })
export const InvitesQuery = Type.Object(PageQuery)

export const InviteInput = Type.Optional(
  checked(
    Type.Object(
      {
        max_uses: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 1' }),
        ),
        expires_at: Type.Optional(
          timeOrNull({ description: 'At most a year ahead. Default: in 7 days' }),
        ),
        note: Type.Optional(textOrNull({ maxLength: 200 })),
      },
      { examples: [{ max_uses: 5, note: 'For the book club' }] },
    ),
    ({ expires_at }, problems) => checkTime('expires_at', expires_at, problems),
  ),
)
export type InviteInput = Static<typeof InviteInput>

export function toInvite(
  row: InviteRow & Omit<UserRefRow, 'id'>,
  users: readonly UserRefRow[],
  code: string | null,
): Static<typeof Invite> {
  return {
    id: row.id,
    code,
    max_uses: row.max_uses,
    use_count: row.use_count,
    users: users.map(toUserRef),
    expires_at: iso(row.expires_at),
    revoked_at: isoOrNull(row.revoked_at),
    note: row.note,
    created_by: toUserRef({ ...row, id: row.created_by }),
    created_at: iso(row.created_at),
  }
}

const Ban = Type.Object(
  {
    id: Type.String(),
    kind: choice(BAN_KINDS),
    value: Type.String(),
    reason: textOrNull(),
    until: timeOrNull({ description: 'Null: the ban does not end' }),
    created_by: UserRef,
    created_at: time(),
  },
  { title: 'Ban' },
)
export const OneBan = Type.Object({ ban: Ban })
export const Bans = Type.Object({ bans: Type.Array(Ban), pagination: Pagination })
export const BansQuery = Type.Object(PageQuery)

export const BanInput = checked(
  Type.Object(
    {
      kind: choice(BAN_KINDS),
      value: Type.String({
        minLength: 1,
        maxLength: 253,
        description: 'A domain, which covers its subdomains; or a network in CIDR notation',
      }),
      reason: Type.Optional(textOrNull({ maxLength: 1000 })),
      until: Type.Optional(timeOrNull()),
    },
    { examples: [{ kind: 'email_domain', value: 'spam.example', reason: 'Spam wave' }] },
  ),
  ({ until }, problems) => checkTime('until', until, problems),
)
export type BanInput = Static<typeof BanInput>

export function toBan(row: BanRow & Omit<UserRefRow, 'id'>): Static<typeof Ban> {
  return {
    id: row.id,
    kind: row.kind,
    value: row.value,
    reason: row.reason,
    until: isoOrNull(row.until),
    created_by: toUserRef({ ...row, id: row.created_by }),
    created_at: iso(row.created_at),
  }
}
