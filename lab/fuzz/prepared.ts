/** Prepares data for operations that need more than earlier responses, such as a token from a mail. */
import { insertApplication } from '../../src/admission/application-queries.ts'
import { issueToken } from '../../src/auth/mail-tokens.ts'
import { newId } from '../../src/db/ids.ts'
import type { TokenPurpose } from '../../src/db/mail-tables.ts'
import { Passwords } from '../../src/factors/passwords.ts'
import { type Actor, PASSWORD } from '../../test/actors.ts'
import { otpAt } from '../../test/factors.ts'
import type { Target } from './target.ts'

/** Values for the request, with the keys of `Known` in tour.ts. If `user` is set, this user sends the request. */
export interface Prepared {
  known: Record<string, string>
  user?: Actor
}

const TTL_S = 3600
const passwords = new Passwords()

async function prepareApplication(target: Target, handle: string): Promise<Prepared> {
  const [now, email] = [Date.now(), `${handle}@example.test`]
  const application = {
    id: newId('reg', now),
    handle,
    email,
    email_key: email,
    password_hash: await passwords.hash(PASSWORD),
    display_name: handle,
    application: 'I make films.',
    ip: null,
    language: 'en',
    status: 'pending',
    reason: null,
    decided_by: null,
    user_id: null,
    created_at: now,
    expires_at: now + TTL_S * 1000,
    decided_at: null,
  } as const
  await target.db.transaction((tx) => insertApplication(tx, application))
  return { known: { reg: application.id } }
}

const prepareToken =
  (purpose: TokenPurpose) =>
  async (target: Target, handle: string): Promise<Prepared> => {
    const user = await target.user('user', handle)
    const email = purpose === 'email_undo' ? `former_${handle}@example.test` : user.email
    const issued = { userId: user.id, purpose, email, ttl: TTL_S }
    const { token } = await target.db.transaction((tx) => issueToken(tx, issued, Date.now()))
    return { known: { token } }
  }

async function prepareTotp(target: Target, handle: string): Promise<Prepared> {
  const user = await target.user('user', handle)
  const { data } = await user.post('/auth/totp', { current_password: PASSWORD })
  return { known: { otp: otpAt(data.secret, Date.now()) }, user }
}

async function prepareDeletion(target: Target, handle: string): Promise<Prepared> {
  const user = await target.user('user', handle)
  const choices = { contents: 'erase', texts: 'erase' }
  const { status, text } = await user.post('/auth/me/deletion', {
    ...choices,
    current_password: PASSWORD,
  })
  if (status >= 400) throw new Error(`scheduling a deletion returned ${status} ${text}`)
  return { known: {}, user }
}

export const PREPARE: Record<string, (target: Target, handle: string) => Promise<Prepared>> = {
  approveApplication: prepareApplication,
  rejectApplication: prepareApplication,
  confirmPasswordReset: prepareToken('password_reset'),
  verifyEmail: prepareToken('verification'),
  undoEmail: prepareToken('email_undo'),
  confirmTotp: prepareTotp,
  cancelDeletion: prepareDeletion,
}
