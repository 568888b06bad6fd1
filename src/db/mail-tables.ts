export const MAIL_KINDS = [
  'verification',
  'password_reset',
  'password_changed',
  'email_changed',
  'new_sign_in',
  'second_factor_changed',
  'application_decided',
  'deletion_scheduled',
  'export_ready',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

export interface MailRow {
  id: string
  /**
   * Account that the mail is about. Null for a mail about no account, and for a password reset until the server has
   * looked up the account.
   */
  user_id: string | null
  kind: MailKind
  /** Empty for a password reset until the server has looked up the account. */
  to_address: string
  language: 'ko' | 'en'
  /** JSON of the text's parameters. */
  params: string
  /**
   * Encrypted link; null when the mail has no link, or is sent or failed. In a password reset, the encrypted handle or
   * email that the client sent, until the server has looked up the account.
   */
  sealed: string | null
  status: 'pending' | 'sent' | 'failed'
  attempts: number
  /** Time of the next attempt, or the end of the lease while an attempt runs. Null unless `pending`. */
  due_at: number | null
  lease: string | null
  created_at: number
  /** Time at which the mail was sent or failed. Null while `pending`. */
  ended_at: number | null
}

export const TOKEN_PURPOSES = ['verification', 'password_reset', 'email_undo'] as const
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number]

export interface MailTokenRow {
  user_id: string
  purpose: TokenPurpose
  /** SHA-256 of the token, in base64url. */
  token_hash: string
  /** Address that the token verifies or, for `email_undo`, restores. Empty for a reset link that is not mailed. */
  email: string
  /** `email` in lower case. */
  email_key: string
  expires_at: number
  created_at: number
}

export interface LoginAgentRow {
  user_id: string
  /** Keyed hash of the `User-Agent` header. */
  agent_hash: string
  seen_at: number
}
