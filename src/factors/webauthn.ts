/** Options and verification of passkeys (Web Authentication, level 3). */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers'
import type { Config } from '../config.ts'
import type { PasskeyRow } from '../db/factor-tables.ts'
import type { UserRow } from '../db/tables.ts'
import { isChallenge, newChallenge, type Purpose } from './challenges.ts'

/** EdDSA, ES256 and RS256. Almost every authenticator supports at least one of them. */
const ALGORITHMS = [-8, -7, -257]
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export type WebauthnSettings = Pick<Config, 'publicUrl' | 'tokenSecret'>

/**
 * Returns the domain to which passkeys belong. Without PUBLIC_URL this is `localhost`, so passkeys work only on
 * the machine of the server.
 */
function rpIdOf({ publicUrl }: WebauthnSettings): string {
  return publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname
}

function expectedOrigin({ publicUrl }: WebauthnSettings, clientDataJSON: string): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin
  const { origin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
  if (typeof origin === 'string' && LOOPBACK.test(new URL(origin).hostname)) return origin
  return 'http://localhost'
}

/** Returns the options for creating a passkey (PublicKeyCredentialCreationOptionsJSON). */
export function creationOptions(
  settings: WebauthnSettings,
  user: UserRow,
  { siteName, existing }: { siteName: string; existing: readonly PasskeyRow[] },
  now: number,
) {
  return generateRegistrationOptions({
    rpName: siteName,
    rpID: rpIdOf(settings),
    userID: handleOf(user.id),
    userName: user.handle,
    userDisplayName: user.display_name,
    challenge: bytes(newChallenge(settings.tokenSecret, `create ${user.id}`, now)),
    timeout: 300_000,
    attestationType: 'none',
    excludeCredentials: existing.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: JSON.parse(transports),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/**
 * Returns the options for signing in (PublicKeyCredentialRequestOptionsJSON). The browser offers all passkeys
 * that it has for the site.
 */
export function requestOptions(settings: WebauthnSettings, now: number) {
  return generateAuthenticationOptions({
    rpID: rpIdOf(settings),
    challenge: bytes(newChallenge(settings.tokenSecret, 'get', now)),
    timeout: 300_000,
    userVerification: 'required',
  })
}

export type NewPasskey = Pick<
  PasskeyRow,
  'credential_id' | 'public_key' | 'sign_count' | 'transports' | 'is_synced'
> & { challenge: string }

/**
 * Returns the new passkey, or undefined for an invalid WebAuthn response. Does not check whether the challenge
 * was used before.
 */
export async function verifyCreation(
  settings: WebauthnSettings,
  userId: string,
  response: RegistrationResponseJSON,
  now: number,
): Promise<NewPasskey | undefined> {
  const { challenge, expectedChallenge } = challengeCheck(settings, `create ${userId}`, now)
  try {
    if (!hasSafeAttestation(response)) return undefined
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: expectedOrigin(settings, response.response.clientDataJSON),
      expectedRPID: rpIdOf(settings),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!registrationInfo) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      sign_count: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      is_synced: credentialBackedUp ? 1 : 0,
      challenge: challenge(),
    }
  } catch {
    // The library throws for every invalid WebAuthn response.
    return undefined
  }
}

/**
 * True when the attestation has no certificates. The library downloads the revocation lists that certificates
 * name, so clients could choose where the server sends requests. Throws for a malformed attestation.
 */
function hasSafeAttestation({ response }: RegistrationResponseJSON): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const format = attestation.get('fmt')
  if (format === 'none') return true
  return format === 'packed' && attestation.get('attStmt').get('x5c') === undefined
}

export type PasskeyUse = Pick<PasskeyRow, 'sign_count' | 'is_synced'> & { challenge: string }

/**
 * Returns the verified use, or undefined for an invalid WebAuthn response. Does not check whether the challenge
 * was used before.
 */
export async function verifyUse(
  settings: WebauthnSettings,
  passkey: PasskeyRow,
  response: AuthenticationResponseJSON,
  now: number,
): Promise<PasskeyUse | undefined> {
  const { challenge, expectedChallenge } = challengeCheck(settings, 'get', now)
  const { userHandle } = response.response
  if (userHandle && userHandle !== Buffer.from(passkey.user_id).toString('base64url')) {
    return undefined
  }
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: expectedOrigin(settings, response.response.clientDataJSON),
      expectedRPID: rpIdOf(settings),
      credential: {
        id: passkey.credential_id,
        publicKey: bytes(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.sign_count,
        transports: JSON.parse(passkey.transports),
      },
      requireUserVerification: true,
    })
    if (!verified) return undefined
    const { newCounter, credentialBackedUp } = authenticationInfo
    return {
      sign_count: newCounter,
      is_synced: credentialBackedUp ? 1 : 0,
      challenge: challenge(),
    }
  } catch {
    return undefined
  }
}

function challengeCheck({ tokenSecret }: WebauthnSettings, purpose: Purpose, now: number) {
  let answered = ''
  return {
    challenge: () => answered,
    expectedChallenge: (challenge: string) => {
      answered = challenge
      return isChallenge(tokenSecret, purpose, challenge, now)
    },
  }
}

/**
 * Returns the user's id in the form that authenticators store. Other sites cannot identify the user by this id.
 */
function handleOf(userId: string) {
  return bytes(Buffer.from(userId))
}

/** Returns a copy of the bytes in a separate ArrayBuffer, as the library requires. */
function bytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer)
}
