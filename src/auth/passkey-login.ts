import { hash } from 'node:crypto'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { findClaimed, usePasskey, verifyPasskeyUse } from '../factors/passkeys.ts'
import type { WebauthnSettings } from '../factors/webauthn.ts'
import type { ClientAddress } from '../limits/address.ts'
import { hasSignedInFrom } from '../sessions/known.ts'
import { findUserLocked } from '../users/accounts.ts'
import { findDeletion } from '../users/deletions.ts'
import { toAccount } from '../users/schema.ts'
import {
  type AuthTools,
  loginLimits,
  openAlertedSession,
  requireUnsuspended,
  type SignInClient,
} from './rules.ts'

interface PasskeyTools extends Pick<AuthTools, 'quota' | 'attempts'> {
  config: AuthTools['config'] & WebauthnSettings
}

/**
 * Creates a session from a passkey's WebAuthn response, without a password or a second factor. Failures count against
 * the rate limits of logins.
 * Errors: INVALID_CREDENTIALS for an unknown passkey or a wrong, expired or used response; ACCOUNT_SUSPENDED;
 * RATE_LIMITED.
 */
export async function signInWithPasskey(
  db: Handle,
  { config, quota, attempts }: PasskeyTools,
  credential: AuthenticationResponseJSON,
  client: SignInClient & ClientAddress,
  now: number,
) {
  const passkey = await findClaimed(db, credential)
  const account = passkey?.user_id ?? `unknown:${hash('sha256', credential.id, 'base64url')}`
  const isKnown = await hasSignedInFrom(db, config, account, client.ip, now)
  return attempts.run(db, loginLimits(account, client, isKnown), now, async (wasGood) => {
    const use = await verifyPasskeyUse(config, passkey, credential, now)
    if (!passkey || !use) throw new ApiError('INVALID_CREDENTIALS')
    try {
      const signedIn = await db.transaction(async (tx) => {
        const user = await findUserLocked(tx, passkey.user_id)
        if (!user) throw new ApiError('INVALID_CREDENTIALS')
        requireUnsuspended(user)
        if (!(await usePasskey(tx, passkey, use, now))) throw new ApiError('INVALID_CREDENTIALS')
        const tokens = await openAlertedSession(tx, config, user, client, now)
        return {
          user: toAccount(user, await quota.read(tx, user.id), await findDeletion(tx, user.id)),
          tokens,
        }
      })
      await wasGood()
      return signedIn
    } catch (error) {
      const isWrong = error instanceof ApiError && error.code === 'INVALID_CREDENTIALS'
      if (!isWrong) await wasGood()
      throw error
    }
  })
}
