/** Row types of registration: applications, invites and bans. */

export const APPLICATION_STATUSES = ['pending', 'approved', 'rejected', 'expired'] as const
export type ApplicationStatus = (typeof APPLICATION_STATUSES)[number]

export interface ApplicationRow {
  id: string
  /** In lower case. Reserved while the application is pending, as is the email. */
  handle: string
  email: string
  email_key: string
  /** Empty once the application is decided or has expired. */
  password_hash: string
  display_name: string
  application: string
  ip: string | null
  language: 'ko' | 'en'
  status: ApplicationStatus
  reason: string | null
  decided_by: string | null
  /** The account of an approved application. */
  user_id: string | null
  created_at: number
  expires_at: number
  decided_at: number | null
}

export interface InviteRow {
  id: string
  /** HMAC of the code, with ENCRYPTION_KEY as the key. */
  code_hash: string
  created_by: string
  max_uses: number
  /** Number of the invite's rows in `invite_uses`. A trigger changes it. */
  use_count: number
  note: string | null
  expires_at: number
  revoked_at: number | null
  created_at: number
}

export const BAN_KINDS = ['email_domain', 'network'] as const
export type BanKind = (typeof BAN_KINDS)[number]

export interface BanRow {
  id: string
  kind: BanKind
  /** A domain in lower case, or a network such as `203.0.113.0/24`. */
  value: string
  reason: string | null
  until: number | null
  created_by: string
  created_at: number
}

export interface RegistrationTables {
  applications: ApplicationRow
  invites: InviteRow
  invite_uses: { invite_id: string; user_id: string; created_at: number }
  bans: BanRow
}
