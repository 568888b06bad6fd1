import { Type } from 'typebox'
import { iso } from '../clock.ts'
import type { SessionRow } from '../db/tables.ts'
import { oneRequired, type Problem } from '../errors.ts'
import { checked, exact, textOrNull, time } from '../http/fields.ts'
import { ERASED_HANDLE } from '../users/reserved-handles.ts'
import { Account, AdultFilter, DmPolicyName, FlashingFilter, HANDLE } from '../users/schema.ts'
import { isCommonPassword } from './common-passwords.ts'

/** Matches the form of an email address. Only a delivered mail proves that the address exists. */
const EMAIL =
  /^[^\s@"(),:;<>[\]\\]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i
/** Matches control characters, which must not reach the headers of mails. */
const CONTROL = /\p{Cc}/u

/** Handles that could be mistaken for a route, a role or the platform itself, or that have a meaning in JavaScript. */
const RESERVED = new Set(
  [
    'about account admin administrator administrators api app apps auth bookmarks captcha comments',
    'constructor contact contents creator creators deleted devconsole developer developers dm docs',
    'everyone feed feeds following followers games guest health help home hype jump likes login',
    'logout me messages metrics moderator moderators new notifications null oauth official openapi',
    'plaza posts privacy prototype register root search security sessions settings signup staff',
    'static support swipe system terms tos undefined uploads user users wasm webhooks www __proto__',
  ].flatMap((line) => line.split(' ')),
)

/** Matches a character that is visible alone: not a space, format character or combining mark. */
const VISIBLE =
  /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{M}\u{2800}\u{1d159}]/u
/** Matches bidirectional control characters, which can make one name look like another. */
const BIDI_CONTROL = /\p{Bidi_Control}/u

type Credentials = {
  handle?: unknown
  email?: unknown
  display_name?: unknown
  password?: unknown
  new_password?: unknown
}

function checkAccount(body: Credentials, problems: Problem[]): void {
  checkHandle(body.handle, problems)
  checkEmail(body.email, problems)
  checkDisplayName(body.display_name, problems)
  checkPassword('password', body.password, problems)
  checkPassword('new_password', body.new_password, problems)
}

/** True when the value is a string and the schema reported no problem for the field. */
function isSound(field: string, value: unknown, problems: Problem[]): value is string {
  return typeof value === 'string' && !problems.some((problem) => problem.field === field)
}

function isReservedWord(handle: string): boolean {
  return RESERVED.has(handle) || handle.startsWith(ERASED_HANDLE)
}

function checkHandle(handle: unknown, problems: Problem[]): void {
  if (!isSound('handle', handle, problems)) return
  if (!HANDLE.test(handle)) problems.push({ field: 'handle', key: 'invalid.handle' })
  else if (isReservedWord(handle.toLowerCase())) {
    problems.push({ field: 'handle', key: 'invalid.reserved' })
  }
}

export function isEmail(text: string): boolean {
  return EMAIL.test(text)
}

export function checkEmail(email: unknown, problems: Problem[]): void {
  if (!isSound('email', email, problems)) return
  if (!EMAIL.test(email) || CONTROL.test(email))
    problems.push({ field: 'email', key: 'invalid.email' })
}

function checkDisplayName(name: unknown, problems: Problem[]): void {
  if (!isSound('display_name', name, problems)) return
  if (BIDI_CONTROL.test(name)) problems.push({ field: 'display_name', key: 'invalid.characters' })
  else if (!VISIBLE.test(name)) problems.push({ field: 'display_name', key: 'invalid.blank' })
}

function checkPassword(field: string, password: unknown, problems: Problem[]): void {
  if (!isSound(field, password, problems)) return
  if (isCommonPassword(password)) problems.push({ field, key: 'invalid.common_password' })
}

const Password = exact(
  Type.String({
    minLength: 10,
    maxLength: 200,
    description: 'Compared as sent, in NFC, never trimmed. Common passwords are rejected',
  }),
)
const DisplayName = Type.String({
  minLength: 1,
  maxLength: 50,
  description: 'Needs a visible character; bidirectional control characters are rejected',
})
const Email = Type.String({ minLength: 3, maxLength: 254 })

const account = {
  handle: Type.String({
    minLength: 3,
    maxLength: 30,
    description: 'a-z, 0-9 and _; stored in lower case',
  }),
  email: Email,
  password: Password,
  display_name: Type.Optional(DisplayName),
}

export const NewAccount = checked(Type.Object(account), checkAccount)

export const RegisterInput = checked(
  Type.Object(
    {
      ...account,
      captcha_token: Type.Optional(
        Type.String({
          maxLength: 1000,
          description: 'From `POST /captcha/verify`; required, otherwise `CAPTCHA_REQUIRED`',
        }),
      ),
      invite_code: Type.Optional(
        textOrNull({
          minLength: 1,
          maxLength: 100,
          description: 'Opens an account unless registration is closed',
        }),
      ),
      application: Type.Optional(
        textOrNull({
          minLength: 1,
          maxLength: 1000,
          description: 'Why you want to join; required when the site approves accounts',
        }),
      ),
    },
    {
      examples: [
        {
          handle: 'mina',
          email: 'mina@example.com',
          password: 'a long walk by the river',
          display_name: '미나',
          captcha_token: 'plc_5Y0kq3l9mZ0d8S1vXo7nq2wBfC4uH6tRjE9aLpKiGxM',
        },
      ],
    },
  ),
  (body, problems) => {
    checkAccount(body, problems)
    // A missing captcha token alone is not reported here, because `register` then returns CAPTCHA_REQUIRED.
    if (problems.length > 0 && body.captcha_token === undefined) {
      problems.push({ field: 'captcha_token', key: 'invalid.required' })
    }
  },
)

const Tokens = Type.Object(
  {
    access_token: Type.String(),
    refresh_token: textOrNull({ description: '`null` when the server sets the token as a cookie' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds' }),
  },
  { title: 'Tokens' },
)

export const Applied = Type.Object({
  application: Type.Object(
    { id: Type.String(), status: Type.Literal('pending'), created_at: time() },
    { title: 'PendingApplication' },
  ),
})

export const SignedIn = Type.Object({ user: Account, tokens: Tokens })

export const LoginInput = Type.Object(
  {
    identifier: Type.String({ minLength: 1, maxLength: 254, description: 'Handle or email' }),
    password: exact(Type.String({ minLength: 1, maxLength: 1000 })),
    otp: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Code of the authenticator app. Ignored without a second factor',
      }),
    ),
    recovery_code: Type.Optional(
      Type.String({ maxLength: 100, description: 'In place of `otp` or a passkey. Works once' }),
    ),
  },
  { examples: [{ identifier: 'mina', password: 'a long walk by the river' }] },
)

export const RefreshInput = Type.Object(
  {
    refresh_token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'Required, unless `X-Session-Cookie: 1` is sent',
      }),
    ),
  },
  {
    examples: [
      {
        refresh_token:
          'plr_01kazqjv2mc6s0h1y8ejdvq5pf000000Xo7vT1cYhN8uQ2rWsZ4eKjLfGdP0mBaIx6V9tRyHw3u',
      },
    ],
  },
)

export const ResetInput = Type.Object(
  {
    identifier: Type.String({ minLength: 1, maxLength: 254, description: 'Handle or email' }),
  },
  { examples: [{ identifier: 'mina' }] },
)

const token = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'From the link, after `#token=`',
})
const exampleToken = 'dJ3vXz0m5sQ1nU8hYt2kWc7bRf4gLp9aEi6oZx1vTqM'

export const ResetConfirmInput = checked(
  Type.Object(
    {
      token: Type.Optional(token),
      identifier: Type.Optional(
        Type.String({ minLength: 1, maxLength: 254, description: 'Needed with `recovery_code`' }),
      ),
      recovery_code: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'In place of `token`, for an account without a second factor',
        }),
      ),
      new_password: Password,
    },
    { examples: [{ token: exampleToken, new_password: 'a long walk by the river' }] },
  ),
  (body, problems) => {
    checkAccount(body, problems)
    if (body.token === undefined && body.recovery_code === undefined) {
      problems.push(...oneRequired('token', 'recovery_code'))
    } else if (body.token === undefined && body.identifier === undefined) {
      problems.push({ field: 'identifier', key: 'invalid.required' })
    }
  },
)

export const TokenInput = Type.Object({ token }, { examples: [{ token: exampleToken }] })

export const Refreshed = Type.Object({ tokens: Tokens })

export const Me = Type.Object({ user: Account })

export const UpdateMeInput = checked(
  Type.Object(
    {
      display_name: Type.Optional(DisplayName),
      bio: Type.Optional(textOrNull({ maxLength: 500 })),
      avatar_upload_id: Type.Optional(
        textOrNull({
          maxLength: 100,
          description: 'An uploaded picture of yours; null removes the avatar',
        }),
      ),
      email: Type.Optional(Email),
      pending_email: Type.Optional(
        Type.Null({ description: 'Null cancels the change of address that waits' }),
      ),
      sign_in_alerts: Type.Optional(
        Type.Boolean({ description: 'Mails about sign-ins with a new device' }),
      ),
      current_password: Type.Optional(
        exact(
          Type.String({ maxLength: 1000, description: 'Needed with `email` or `new_password`' }),
        ),
      ),
      new_password: Type.Optional(Password),
      dm_policy: Type.Optional(DmPolicyName),
      content_filter: Type.Optional(
        Type.Object({
          adult: Type.Optional(AdultFilter),
          flashing: Type.Optional(FlashingFilter),
        }),
      ),
      is_indexed: Type.Optional(
        Type.Boolean({ description: 'True when search engines may index your pages' }),
      ),
    },
    { examples: [{ display_name: '미나', bio: null }] },
  ),
  checkAccount,
)

const Session = Type.Object(
  {
    id: Type.String(),
    user_agent: textOrNull(),
    ip: textOrNull(),
    created_at: time(),
    last_seen_at: time(),
    expires_at: time(),
    is_current: Type.Boolean(),
  },
  { title: 'Session' },
)

export const Sessions = Type.Object({ sessions: Type.Array(Session) })

export function toSession(row: SessionRow, currentId: string) {
  return {
    id: row.id,
    user_agent: row.user_agent,
    ip: row.ip,
    created_at: iso(row.created_at),
    last_seen_at: iso(row.last_seen_at),
    expires_at: iso(row.expires_at),
    is_current: row.id === currentId,
  }
}

export function toApplied({ id, created_at }: { id: string; created_at: number }) {
  return { id, status: 'pending' as const, created_at: iso(created_at) }
}
