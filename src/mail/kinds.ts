/** Parameters of the texts in mails, by kind of mail. Times are epoch milliseconds, and `ttl` is in seconds. */
export interface MailParams {
  verification: { handle: string; ttl: number }
  password_reset: { handle: string; ttl: number }
  /** `keys` counts the API keys that still work. */
  password_changed: { handle: string; keys: number }
  email_changed: { handle: string; email: string; ttl: number }
  new_sign_in: { handle: string; at: number; agent: string; ip: string }
  second_factor_changed: { handle: string; change: FactorChange }
  application_decided: { handle: string; outcome: 'approved' | 'rejected'; reason: string }
  deletion_scheduled: { handle: string; due: number }
  export_ready: { handle: string; until: number }
}

export type FactorChange =
  | 'totp_enabled'
  | 'totp_disabled'
  | 'passkey_added'
  | 'passkey_removed'
  | 'codes_replaced'
  | 'removed_by_operator'
  | 'removed_by_undo'

export type MailKind = keyof MailParams

/** Kinds of mail with a secret link. */
export type LinkKind = 'verification' | 'password_reset' | 'email_changed'

export type MailContent<K extends MailKind = MailKind> = {
  [Kind in K]: { kind: Kind; params: MailParams[Kind] }
}[K]
