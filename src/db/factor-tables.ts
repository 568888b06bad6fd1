/** Row types of the second factor: TOTP, passkeys and recovery codes. */
import type { Flag } from './flag.ts'

export interface FactorTables {
  totp_secrets: TotpSecretRow
  passkeys: PasskeyRow
  /** `code_hash` is the SHA-256 of the user's id and the code, in base64url. */
  recovery_codes: { user_id: string; code_hash: string; created_at: number }
  /** WebAuthn challenges that a response has already used. */
  used_challenges: { challenge: string; expires_at: number }
}

/** Columns of `users`. */
export interface FactorColumns {
  /** 1 while the user has a confirmed TOTP secret. */
  has_totp: Flag
  passkey_count: number
  /** Number of unused recovery codes. */
  recovery_code_count: number
}

export interface TotpSecretRow {
  user_id: string
  /** Encrypted with ENCRYPTION_KEY. */
  secret: string
  /** Null until a first code proves that the user's device has the secret. */
  confirmed_at: number | null
  /** JSON list of the time steps whose codes were used and are still valid. */
  used_steps: string
  created_at: number
}

export interface PasskeyRow {
  id: string
  user_id: string
  /** Id that the authenticator chose, in base64url. */
  credential_id: string
  /** COSE key in base64url. */
  public_key: string
  /** Signature counter of the authenticator; 0 when the authenticator does not count. */
  sign_count: number
  /** JSON list of the ways in which browsers reach the authenticator. */
  transports: string
  name: string
  /** 1 when a password manager synchronises the passkey between devices. */
  is_synced: Flag
  created_at: number
  last_used_at: number | null
}
