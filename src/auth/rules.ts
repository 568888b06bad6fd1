import { countConflict, requireCaptchaToken, useCaptchaToken } from '../captcha/rules.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { UserRow } from '../db/tables.ts'
import { requireAllowedEmail, requireNoApplication } from '../admission/rules.ts'
import { ApiError, type ErrorCode, type Problem } from '../errors.ts'
import { type Answer, requireFactor } from '../factors/login.ts'
import type { Passwords } from '../factors/passwords.ts'
import { addressKeys, type ClientAddress, networkOf } from '../limits/address.ts'
import type { RunningAttempts } from '../limits/attempts.ts'
import { addressLimits, giveBack, type Limit, requireRoom, spend } from '../limits/rules.ts'
import type { MailSettings } from '../mail/rules.ts'
import type { Language } from '../messages/language.ts'
import { insertNotificationCounts } from '../notifications/queries.ts'
import { hasSignedInFrom } from '../sessions/known.ts'
import { type Client, openSession, rotateTokens, type SessionSettings } from '../sessions/rules.ts'
import type { StorageQuota } from '../uploads/quota.ts'
import {
  findUserByEmail,
  findUserByHandle,
  findUserLocked,
  insertUser,
  isLegacy,
} from '../users/accounts.ts'
import { findDeletion } from '../users/deletions.ts'
import { isHandleReserved } from '../users/reserved-handles.ts'
import { keyOf, NEW_ACCOUNT, searchTextOf, toAccount, toSecondFactor } from '../users/schema.ts'
import { isReserved } from './mail-token-queries.ts'
import { queueVerification } from './mail-tokens.ts'
import {
  apply,
  type AdmissionSettings,
  findApplicant,
  requireEntry,
  useInvite,
} from './admission.ts'
import { findByIdentifier } from './resolve-reset.ts'
import { alertSignIn } from './sign-in-alert.ts'

const HOUR_MS = 60 * 60 * 1000

export interface Registration {
  handle: string
  email: string
  password: string
  display_name?: string
  captcha_token?: string
  invite_code?: string | null
  application?: string | null
}

export interface AuthTools {
  config: SessionSettings & MailSettings & AdmissionSettings
  passwords: Passwords
  quota: StorageQuota
  attempts: RunningAttempts
}

/**
 * Creates an account and its first session, and returns both. Creates and returns an application instead when the
 * site requires one and the request has no invite code. A failed registration leaves the captcha token valid until
 * the fifth HANDLE_TAKEN or EMAIL_TAKEN. Errors that reveal an account (`revealsAccount`) count against the client
 * address's registration limit.
 * Errors: those of `requireEntry`; CAPTCHA_INVALID, LEGACY_ACCOUNT_CONFLICT, HANDLE_TAKEN, EMAIL_TAKEN, RATE_LIMITED;
 * 422 on a banned `email`; SERVICE_UNAVAILABLE when too many requests hash passwords.
 */
export async function register(
  db: Handle,
  { config, passwords, quota }: AuthTools,
  input: Registration,
  client: Client & ClientAddress & { language: Language },
  now: number,
) {
  const { captcha_token: captchaToken = '' } = input
  const { language } = client
  const entry = await requireEntry(db, config, input, now)
  await requireCaptchaToken(db, captchaToken, now)
  await requireAllowedEmail(db, input.email, now)
  const [handle, emailKey] = [keyOf(input.handle), keyOf(input.email)]
  const limits = addressLimits('register', client, 20, HOUR_MS)
  // Counts every attempt first, so that simultaneous requests cannot exceed the limit.
  await spend(db, limits, now)
  try {
    await requireFree(db, config, { handle, emailKey }, now)
    const passwordHash = await passwords.hash(input.password)
    const named = { handle, email: input.email, display_name: input.display_name ?? handle }
    const user = newUser({ ...named, password_hash: passwordHash, role: 'user' }, now)
    if (typeof entry === 'object' && 'application' in entry) {
      const sent = { captchaToken, ip: client.ip, language }
      const check = (tx: Tx) => requireFree(tx, config, { handle, emailKey }, now)
      return { application: await apply(db, user, entry.application, sent, check, now) }
    }
    const tokens = await db.transaction(async (tx) => {
      await useCaptchaToken(tx, captchaToken, now)
      if (!(await addUser(tx, user))) {
        await requireFree(tx, config, { handle, emailKey }, now)
        throw new ApiError('HANDLE_TAKEN')
      }
      await queueVerification(tx, config, user, { email: user.email, language }, now)
      if (entry !== 'open') await useInvite(tx, entry.inviteHash, user.id, now)
      return openSession(tx, config, user.id, client, now)
    })
    return { user: toAccount(user, await quota.read(db, user.id), undefined), tokens }
  } catch (caught) {
    const error = await afterConflict(db, captchaToken, caught, now)
    if (!revealsAccount(error)) await giveBack(db, limits, now)
    throw error
  }
}

/**
 * If `error` is HANDLE_TAKEN or EMAIL_TAKEN, counts it against the captcha token. Returns `error`, or
 * CAPTCHA_INVALID when the token has no attempts left.
 */
async function afterConflict(db: Handle, captchaToken: string, error: unknown, now: number) {
  const isTaken = error instanceof ApiError && /^(HANDLE|EMAIL)_TAKEN$/.test(error.code)
  if (!isTaken) return error
  const refused = await countConflict(db, captchaToken, now).catch((unpaid: unknown) => unpaid)
  return refused ?? error
}

const TAKEN: readonly ErrorCode[] = ['LEGACY_ACCOUNT_CONFLICT', 'HANDLE_TAKEN', 'EMAIL_TAKEN']

export function revealsAccount(error: unknown): boolean {
  return error instanceof ApiError && TAKEN.includes(error.code)
}

type NewUser = Pick<UserRow, 'handle' | 'email' | 'display_name' | 'password_hash' | 'role'> &
  Partial<Pick<UserRow, 'email_verified'>>

export function newUser(named: NewUser, now: number): UserRow {
  const id = newId('usr', now)
  return {
    ...named,
    id,
    email_key: keyOf(named.email),
    bio: null,
    avatar_url: null,
    avatar_sizes: null,
    tier: 'regular',
    is_suspended: 0,
    erased_at: null,
    suspended_at: null,
    suspension_reason: null,
    last_seen_at: null,
    created_at: now,
    search_text: searchTextOf({ ...named, id }),
    permissions: '[]',
    email_verified: named.email_verified ?? (named.role === 'admin' ? 1 : 0),
    pending_email: null,
    ...NEW_ACCOUNT,
  }
}

/**
 * Inserts a user and all dependent rows. Returns false when the handle or email is taken, or an undo link can return
 * the email to another user. The caller must then roll back.
 * Errors: HANDLE_TAKEN or EMAIL_TAKEN when a pending application has the handle or the email.
 */
export async function addUser(tx: Tx, user: UserRow): Promise<boolean> {
  if (!(await insertUser(tx, user))) return false
  await requireNoApplication(tx, user.handle, user.email_key, user.created_at)
  await insertNotificationCounts(tx, user.id)
  // Checks after the insert, because the insert waits for a concurrent transaction in which another user gives up this
  // address.
  return !(await isReserved(tx, user.email_key, user.created_at))
}

/**
 * Checks that a handle and an email, both in lower case, are free. Errors: LEGACY_ACCOUNT_CONFLICT, HANDLE_TAKEN,
 * EMAIL_TAKEN.
 */
export async function requireFree(
  db: Handle,
  settings: Pick<SessionSettings, 'tokenSecret'>,
  { handle, emailKey }: { handle: string; emailKey: string },
  now: number,
): Promise<void> {
  if (await isLegacy(db, handle, emailKey)) throw new ApiError('LEGACY_ACCOUNT_CONFLICT')
  if (await findUserByHandle(db, handle)) throw new ApiError('HANDLE_TAKEN')
  // Checks reservations after users, because an erasure moves the handle from the user to the reservations.
  if (await isHandleReserved(db, settings, handle)) throw new ApiError('HANDLE_TAKEN')
  const isTaken = (await findUserByEmail(db, emailKey)) || (await isReserved(db, emailKey, now))
  if (isTaken) throw new ApiError('EMAIL_TAKEN')
  await requireNoApplication(db, handle, emailKey, now)
}

/**
 * Creates a session from a handle or email, the password, and the second factor if the user has one. An unknown
 * account and a wrong password get the same response after the same time. Failures count against rate limits, but a
 * missing second factor does not.
 * Errors: INVALID_CREDENTIALS, APPLICATION_PENDING, ACCOUNT_SUSPENDED, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_INVALID,
 * RATE_LIMITED; SERVICE_UNAVAILABLE when too many requests hash passwords.
 */
export async function signIn(
  db: Handle,
  tools: AuthTools,
  { identifier, password, ...answer }: { identifier: string; password: string } & Answer,
  client: SignInClient & ClientAddress,
  now: number,
) {
  const check = async (found: UserRow, wasGood: () => Promise<void>) => {
    if (!toSecondFactor(found).is_enabled) {
      await wasGood()
      return { user: found, signedIn: undefined }
    }
    // Calls `wasGood` only after the factor is checked, so that a wrong factor counts as a failed login.
    try {
      const finished = await finishSignIn(db, tools, found, answer, client, now)
      await wasGood()
      return { user: found, signedIn: finished }
    } catch (error) {
      const isWrong = error instanceof ApiError && error.code === 'SECOND_FACTOR_INVALID'
      if (!isWrong) await wasGood()
      throw error
    }
  }
  const sent = { identifier, password }
  const options = { admitsApplicants: true }
  const { user, signedIn } = await withPassword(db, tools, sent, client, now, check, options)
  return signedIn ?? finishSignIn(db, tools, user, answer, client, now)
}

export type PasswordTools = Pick<AuthTools, 'passwords' | 'attempts'> & { config: SessionSettings }

/**
 * Calls `action` with the account that has this handle or email and this password, even if the account is suspended.
 * Returns the result of `action`. Counts a failed login unless `action` calls `wasGood`.
 * Errors: those of `action`; INVALID_CREDENTIALS; APPLICATION_PENDING with `admitsApplicants`; RATE_LIMITED after
 * many failures; SERVICE_UNAVAILABLE when too many requests hash passwords.
 */
export function withPassword<T>(
  db: Handle,
  { config, passwords, attempts }: PasswordTools,
  { identifier, password }: { identifier: string; password: string },
  client: ClientAddress,
  now: number,
  action: (user: UserRow, wasGood: () => Promise<void>) => Promise<T>,
  { admitsApplicants = false } = {},
): Promise<T> {
  return passwords.withSlot(async (slot) => {
    const found = await findByIdentifier(db, keyOf(identifier))
    const isApplicant = !found && admitsApplicants
    const applicant = isApplicant ? await findApplicant(db, keyOf(identifier), now) : undefined
    const account = found?.id ?? `unknown:${keyOf(identifier)}`
    const isKnown = await hasSignedInFrom(db, config, account, client.ip, now)
    const limits = loginLimits(account, client, isKnown)
    return attempts.run(db, limits, now, async (wasGood) => {
      const hash = (found ?? applicant)?.password_hash
      if (!(await slot.matches(hash, password)) || !(found ?? applicant)) {
        throw new ApiError('INVALID_CREDENTIALS')
      }
      if (!found) {
        await wasGood()
        throw new ApiError('APPLICATION_PENDING')
      }
      return action(found, wasGood)
    })
  })
}

function finishSignIn(
  db: Handle,
  { config, quota }: Pick<AuthTools, 'config' | 'quota'>,
  { id, password_hash }: UserRow,
  answer: Answer,
  client: SignInClient,
  now: number,
) {
  return db.transaction(async (tx) => {
    const user = await findUserLocked(tx, id)
    // The password may have changed since its verification. That change ended all sessions, so the old password must
    // not create another one.
    if (user?.password_hash !== password_hash) throw new ApiError('INVALID_CREDENTIALS')
    requireUnsuspended(user)
    const after = await requireFactor(tx, config, user, answer, now)
    const tokens = await openAlertedSession(tx, config, user, client, now)
    return {
      user: toAccount(after, await quota.read(tx, id), await findDeletion(tx, id)),
      tokens,
    }
  })
}

export type SignInClient = Client & { language: Language }

/** Opens a session and returns its tokens. Mails the user if the device is new. Requires the user's lock. */
export async function openAlertedSession(
  tx: Tx,
  config: AuthTools['config'],
  user: UserRow,
  client: SignInClient,
  now: number,
) {
  await alertSignIn(tx, config, user, client, now)
  return openSession(tx, config, user.id, client, now)
}

/** Rejects a suspended account. Errors: 403 ACCOUNT_SUSPENDED with the reason. */
export function requireUnsuspended({ is_suspended, suspension_reason: reason }: UserRow): void {
  if (!is_suspended) return
  const problem: Problem =
    reason === null
      ? { field: 'reason', key: 'invalid.suspension_no_reason' }
      : { field: 'reason', key: 'invalid.suspension_reason', params: { reason } }
  throw new ApiError('ACCOUNT_SUSPENDED', { problems: [problem] })
}

/**
 * Returns the limits of failed logins (docs/api.md, Limits). `isKnown` is true when the account has signed in from
 * the client's network. A known network has a separate limit, so failures from elsewhere do not block it.
 */
export function loginLimits(account: string, client: ClientAddress, isKnown: boolean): Limit[] {
  const sources = new Set(addressKeys(client.ip))
  if (isKnown) sources.add(networkOf(client.ip))
  return [
    ...[...sources].map((source) => ({
      bucket: `login:pair:${account}:${source}`,
      max: 10,
      windowMs: HOUR_MS / 4,
    })),
    { bucket: `login:account:${account}`, max: isKnown ? Infinity : 100, windowMs: HOUR_MS },
    ...addressLimits('login', client, 100, HOUR_MS),
  ]
}

/**
 * Returns new tokens for a refresh token.
 * Errors: UNAUTHORIZED when the token is invalid, expired, or was replaced more than 30 seconds ago; RATE_LIMITED
 * after many such failures from the address.
 */
export async function refreshSession(
  db: Handle,
  settings: SessionSettings,
  refreshToken: string,
  client: ClientAddress,
  now: number,
) {
  const limits = addressLimits('refresh', client, 60, 60_000)
  await requireRoom(db, limits, now)
  const tokens = await rotateTokens(db, settings, refreshToken, now)
  if (!tokens) {
    await spend(db, limits, now)
    throw new ApiError('UNAUTHORIZED')
  }
  return { tokens }
}
