import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Config } from '../config.ts'
import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import type { MailSettings } from '../mail/rules.ts'
import type { Language } from '../messages/language.ts'
import { findSite } from '../settings/queries.ts'
import { settingsOf } from '../site-settings.ts'
import type { StorageQuota } from '../uploads/quota.ts'
import { findDeletion } from '../users/deletions.ts'
import { exampleAccount } from '../users/example.ts'
import { toAccount } from '../users/schema.ts'
import type { AlertContext } from './change.ts'
import { type PasswordTools, provePassword } from './confirm.ts'
import {
  createPasskey,
  getCreationOptions,
  listPasskeys,
  removePasskey,
  updatePasskey,
  verifyNewPasskey,
} from './passkeys.ts'
import {
  checkFirstOtp,
  confirmTotp,
  createTotp,
  disableTotp,
  replaceRecoveryCodes,
} from './rules.ts'
import {
  CreationOptions,
  OtpInput,
  PasskeyAnswer,
  PasskeyCreated,
  PasskeyEdit,
  PasskeyInput,
  PasskeyList,
  PasswordInput,
  RecoveryCodes,
  TotpConfirmed,
  TotpSecret,
} from './schema.ts'
import type { WebauthnSettings } from './webauthn.ts'

const tag = 'Second factor'
const passkeyId = { id: { id: 'pky', missing: 'PASSKEY_NOT_FOUND', only: 'owner' } } as const
const passwordErrors = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE'] as const

const passkey = {
  id: 'pky_01kazs3d5wf1pa0x7g9m2vhe6c',
  name: 'My phone',
  is_synced: true,
  created_at: '2026-11-21T08:20:11.402Z',
  last_used_at: null,
}
const recovery_codes = ['k3v9-2mqa-70xd-w5hr', 'p8tn-4c1e-zz6j-90gb']

export interface FactorDeps extends CoreDeps, PasswordTools {
  quota: StorageQuota
  config: MailSettings & WebauthnSettings & Pick<Config, 'fixedSettings'>
}

interface FactorCall {
  deps: FactorDeps
  language: Language
  now: number
}

function alertContextOf({ deps, language, now }: FactorCall): AlertContext {
  return { settings: deps.config, language, now }
}

async function siteName({ db, config }: FactorDeps): Promise<string> {
  return settingsOf(await findSite(db), config).name
}

export function registerFactors(api: Api<FactorDeps>): void {
  registerTotp(api)
  registerPasskeys(api)
}

function registerTotp(api: Api<FactorDeps>): void {
  api.post('/auth/recovery-codes', {
    id: 'createRecoveryCodes',
    summary: 'Replace your recovery codes',
    description:
      'A recovery code signs in in place of another second factor. Without a second factor, it resets a forgotten password.',
    tag,
    auth: 'user',
    body: PasswordInput,
    status: 201,
    data: RecoveryCodes,
    errors: passwordErrors,
    example: { recovery_codes },
    handler: {
      before: ({ deps, viewer, body, now }) =>
        provePassword(deps.db, deps, viewer, body.current_password, now),
      first: (call, proof) =>
        replaceRecoveryCodes(call.db, call.viewer, proof, alertContextOf(call)),
    },
  })

  api.post('/auth/totp', {
    id: 'createTotp',
    summary: 'Get a secret for an authenticator app',
    description:
      'TOTP of RFC 6238: SHA-1, 6 digits, 30 seconds. It protects the account once a first code is confirmed. A secret that was not confirmed is replaced.',
    tag,
    auth: 'user',
    body: PasswordInput,
    status: 201,
    data: TotpSecret,
    errors: ['SECOND_FACTOR_ENABLED', ...passwordErrors],
    example: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      otpauth_url:
        'otpauth://totp/Plaza:mina?issuer=Plaza&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
    },
    handler: {
      before: async ({ deps, viewer, body, now }) => ({
        proof: await provePassword(deps.db, deps, viewer, body.current_password, now),
        issuer: await siteName(deps),
      }),
      first: ({ deps, db, viewer, now }, { proof, issuer }) =>
        createTotp(db, viewer, proof, { encryptionKey: deps.config.encryptionKey, issuer }, now),
    },
  })

  api.post('/auth/totp/confirm', {
    id: 'confirmTotp',
    summary: 'Enable codes of an authenticator app with a first code',
    tag,
    auth: 'user',
    body: OtpInput,
    data: TotpConfirmed,
    errors: ['OTP_INVALID', 'RATE_LIMITED'],
    example: { user: exampleAccount, recovery_codes },
    handler: {
      before: ({ deps, viewer, body, now }) => checkFirstOtp(deps.db, deps, viewer, body.otp, now),
      first: async (call) => {
        const { deps, db, viewer, body } = call
        const { user, ...codes } = await confirmTotp(db, viewer, body.otp, alertContextOf(call))
        const [storage, deletion] = await Promise.all([
          deps.quota.read(db, user.id),
          findDeletion(db, user.id),
        ])
        return { user: toAccount(user, storage, deletion), ...codes }
      },
    },
  })

  api.post('/auth/totp/disable', {
    id: 'disableTotp',
    summary: 'Disable codes of an authenticator app',
    description: 'Also succeeds when these codes are not enabled. Recovery codes stay.',
    tag,
    auth: 'user',
    body: PasswordInput,
    errors: passwordErrors,
    handler: {
      before: ({ deps, viewer, body, now }) =>
        provePassword(deps.db, deps, viewer, body.current_password, now),
      first: (call, proof) => disableTotp(call.db, call.viewer, proof, alertContextOf(call)),
    },
  })
}

function registerPasskeys(api: Api<FactorDeps>): void {
  api.get('/auth/passkeys', {
    id: 'listPasskeys',
    summary: 'List your passkeys',
    tag,
    auth: 'user',
    data: PasskeyList,
    example: { passkeys: [passkey] },
    handler: ({ db, viewer }) => listPasskeys(db, viewer),
  })

  api.post('/auth/passkeys/options', {
    id: 'getPasskeyOptions',
    summary: 'Get the options for creating a passkey in the browser',
    description: 'An account has at most 20 passkeys. Passkeys belong to the host of `PUBLIC_URL`.',
    tag,
    auth: 'user',
    body: PasswordInput,
    data: CreationOptions,
    errors: ['LIMIT_REACHED', ...passwordErrors],
    example: {
      options: {
        rp: { name: 'Plaza', id: 'plaza.example' },
        user: { id: 'dXNyXzAx', name: 'mina', displayName: '미나' },
        challenge: 'mJ0pQ1uYb2x',
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        timeout: 300_000,
        attestation: 'none',
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
      expires_in: 300,
    },
    handler: {
      before: async ({ deps, viewer, body, now }) => {
        await provePassword(deps.db, deps, viewer, body.current_password, now)
        return getCreationOptions(deps.db, deps.config, viewer, await siteName(deps), now)
      },
      first: (_call, options) => options,
    },
  })

  api.post('/auth/passkeys', {
    id: 'createPasskey',
    summary: 'Add a passkey',
    description: 'Accepts the response of the browser once.',
    tag,
    auth: 'user',
    body: PasskeyInput,
    status: 201,
    data: PasskeyCreated,
    errors: ['PASSKEY_INVALID', 'LIMIT_REACHED'],
    example: { passkey, recovery_codes },
    handler: {
      before: ({ deps, viewer, body, now }) =>
        verifyNewPasskey(
          deps.config,
          viewer,
          body.credential as unknown as RegistrationResponseJSON,
          now,
        ),
      first: (call, verified) =>
        createPasskey(call.db, call.viewer, call.body.name, verified, alertContextOf(call)),
    },
  })

  api.patch('/auth/passkeys/:id', {
    id: 'updatePasskey',
    summary: 'Rename a passkey',
    tag,
    auth: 'user',
    params: passkeyId,
    body: PasskeyEdit,
    data: PasskeyAnswer,
    errors: ['PASSKEY_NOT_FOUND'],
    example: { passkey: { ...passkey, name: 'Old phone' } },
    handler: ({ db, viewer, params, body }) => updatePasskey(db, viewer, params.id, body.name),
  })

  api.post('/auth/passkeys/:id/remove', {
    id: 'removePasskey',
    summary: 'Remove a passkey',
    description: 'Recovery codes stay.',
    tag,
    auth: 'user',
    params: passkeyId,
    body: PasswordInput,
    errors: ['PASSKEY_NOT_FOUND', ...passwordErrors],
    handler: {
      before: ({ deps, viewer, body, now }) =>
        provePassword(deps.db, deps, viewer, body.current_password, now),
      first: (call, proof) =>
        removePasskey(call.db, call.viewer, call.params.id, proof, alertContextOf(call)),
    },
  })
}
