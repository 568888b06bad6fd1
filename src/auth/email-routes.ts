import { Type } from 'typebox'
import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import type { MailSettings } from '../mail/rules.ts'
import type { SessionSettings } from '../sessions/rules.ts'
import { sendVerification, undoEmail, verifyEmail } from './address.ts'
import { confirmPasswordReset, resetWithCode, sendPasswordReset } from './password-reset.ts'
import type { AuthTools } from './rules.ts'
import { ResetConfirmInput, ResetInput, TokenInput } from './schema.ts'

export interface EmailDeps extends CoreDeps, Pick<AuthTools, 'passwords' | 'attempts'> {
  config: MailSettings & SessionSettings
}

const Nothing = Type.Object({})
const withoutMail = ({ deps }: { deps: EmailDeps }) =>
  deps.config.smtpUrl === undefined ? ('MAIL_NOT_CONFIGURED' as const) : undefined

export function registerEmail(api: Api<EmailDeps>): void {
  api.post('/auth/password-reset', {
    id: 'sendPasswordReset',
    summary: 'Send a link that resets the password',
    description:
      'The response is the same for known, unknown and suspended accounts. An account gets at most five of these mails an hour.',
    tag: 'Sessions',
    auth: { mode: 'public', refuse: withoutMail },
    body: ResetInput,
    data: Nothing,
    status: 202,
    errors: ['MAIL_NOT_CONFIGURED', 'RATE_LIMITED'],
    example: {},
    handler: async (call) => {
      const { deps, db, body, now } = call
      await sendPasswordReset(db, deps.config, body.identifier, call, now)
      return {}
    },
  })

  api.post('/auth/password-reset/confirm', {
    id: 'confirmPasswordReset',
    summary: 'Set a new password with a mailed token or a recovery code',
    description:
      'Ends all sessions. A token also verifies the address. API keys keep working. A mail and a `system` notification report the change.',
    tag: 'Sessions',
    auth: 'public',
    body: ResetConfirmInput,
    errors: ['TOKEN_INVALID', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
    handler: (call) => {
      const { deps, db, body, language, now } = call
      const { token, identifier = '', recovery_code = '', new_password } = body
      return token === undefined
        ? resetWithCode(db, deps, { identifier, recovery_code, new_password }, call, now)
        : confirmPasswordReset(db, deps, { token, new_password }, language, now)
    },
  })

  api.post('/auth/email/verification', {
    id: 'sendVerification',
    summary: 'Send the verification of your address again',
    description:
      'Goes to `pending_email`, if there is one. An account gets at most five of these mails an hour; beyond that the response is the same.',
    tag: 'Me',
    auth: { mode: 'user', refuse: withoutMail },
    data: Nothing,
    status: 202,
    errors: ['MAIL_NOT_CONFIGURED', 'EMAIL_ALREADY_VERIFIED', 'RATE_LIMITED'],
    example: {},
    handler: async (call) => {
      const { deps, db, viewer, now } = call
      await sendVerification(db, deps.config, viewer, call, now)
      return {}
    },
  })

  api.post('/auth/email/verify', {
    id: 'verifyEmail',
    summary: 'Verify an address with a mailed token',
    description: 'Also completes a pending change of the address.',
    tag: 'Me',
    auth: 'public',
    body: TokenInput,
    errors: ['TOKEN_INVALID', 'EMAIL_TAKEN', 'LEGACY_ACCOUNT_CONFLICT'],
    handler: ({ db, body, now }) => verifyEmail(db, body.token, now),
  })

  api.post('/auth/email/undo', {
    id: 'undoEmail',
    summary: 'Undo a change of the address with a mailed token',
    description:
      'Restores the earlier address, ends all sessions, and sends a link that resets the password to it. Second factors that were added since the change are removed.',
    tag: 'Me',
    auth: 'public',
    body: TokenInput,
    errors: ['TOKEN_INVALID'],
    handler: ({ deps, db, body, language, now, requestId }) =>
      undoEmail(db, deps.config, { token: body.token, language, requestId }, now),
  })
}
