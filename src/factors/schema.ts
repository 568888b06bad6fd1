import { type Static, Type } from 'typebox'
import { iso, isoOrNull } from '../clock.ts'
import type { PasskeyRow } from '../db/factor-tables.ts'
import { exact, secret, textOrNull, time, timeOrNull } from '../http/fields.ts'
import { Account } from '../users/schema.ts'

/**
 * A text in base64url. Limits only the length: the WebAuthn library checks the format, so that every invalid
 * WebAuthn response returns the same error.
 */
const base64url = (maxLength: number) => Type.String({ maxLength })

/** Web Authentication limits a credential id to 1,023 bytes, which are 1,364 characters in base64url. */
const CredentialId = base64url(1364)

export const PasswordInput = Type.Object(
  { current_password: exact(Type.String({ minLength: 1, maxLength: 1000 })) },
  { examples: [{ current_password: 'a long walk by the river' }] },
)

const codes = { description: 'Shown only once. Each works once' }

export const RecoveryCodes = Type.Object({
  recovery_codes: secret(Type.Array(Type.String(), codes)),
})

const FirstCodes = secret(
  Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Shown only once. Null when the account has recovery codes already',
  }),
)

export const TotpSecret = Type.Object({
  secret: secret(Type.String({ description: 'In base32. Shown only once' })),
  otpauth_url: secret(Type.String({ description: 'Content of the QR code. Shown only once' })),
})

export const OtpInput = Type.Object(
  { otp: Type.String({ minLength: 1, maxLength: 100 }) },
  { examples: [{ otp: '492039' }] },
)

export const TotpConfirmed = Type.Object({ user: Account, recovery_codes: FirstCodes })

const Passkey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    is_synced: Type.Boolean({ description: 'True when it exists on several devices' }),
    created_at: time(),
    last_used_at: timeOrNull(),
  },
  { title: 'Passkey' },
)

const PasskeyName = Type.String({ minLength: 1, maxLength: 50 })

export const PasskeyAnswer = Type.Object({ passkey: Passkey })
export const PasskeyList = Type.Object({ passkeys: Type.Array(Passkey) })
export const PasskeyCreated = Type.Object({ passkey: Passkey, recovery_codes: FirstCodes })
export const PasskeyEdit = Type.Object({ name: PasskeyName }, { examples: [{ name: 'My phone' }] })

const options = (name: string) =>
  Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    description: `\`${name}\` of Web Authentication`,
  })
const ExpiresIn = Type.Integer({ description: 'Seconds' })

export const CreationOptions = Type.Object({
  options: options('PublicKeyCredentialCreationOptionsJSON'),
  expires_in: ExpiresIn,
})
export const RequestOptions = Type.Object({
  options: options('PublicKeyCredentialRequestOptionsJSON'),
  expires_in: ExpiresIn,
})

const credential = { id: CredentialId, rawId: CredentialId, type: Type.String({ maxLength: 50 }) }
const ClientData = base64url(8_000)

export const PasskeyInput = Type.Object(
  {
    name: PasskeyName,
    credential: Type.Object(
      {
        ...credential,
        response: Type.Object({
          clientDataJSON: ClientData,
          attestationObject: base64url(64_000),
          transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 10 })),
        }),
      },
      { description: '`RegistrationResponseJSON` of Web Authentication' },
    ),
  },
  {
    examples: [
      {
        name: 'My phone',
        credential: {
          id: 'Yk3uUQ1QTq2hVvJ9y2rWbQ',
          rawId: 'Yk3uUQ1QTq2hVvJ9y2rWbQ',
          type: 'public-key',
          response: {
            clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
            attestationObject: 'o2M',
          },
        },
      },
    ],
  },
)

export const PasskeyLogin = Type.Object(
  {
    credential: Type.Object(
      {
        ...credential,
        response: Type.Object({
          clientDataJSON: ClientData,
          authenticatorData: base64url(8_000),
          signature: base64url(8_000),
          userHandle: Type.Optional(textOrNull({ maxLength: 100 })),
        }),
      },
      { description: '`AuthenticationResponseJSON` of Web Authentication' },
    ),
  },
  {
    examples: [
      {
        credential: {
          id: 'Yk3uUQ1QTq2hVvJ9y2rWbQ',
          rawId: 'Yk3uUQ1QTq2hVvJ9y2rWbQ',
          type: 'public-key',
          response: {
            clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
            authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
            signature: 'MEUCIQDx',
          },
        },
      },
    ],
  },
)

export function toPasskey(row: PasskeyRow): Static<typeof Passkey> {
  return {
    id: row.id,
    name: row.name,
    is_synced: row.is_synced === 1,
    created_at: iso(row.created_at),
    last_used_at: isoOrNull(row.last_used_at),
  }
}
