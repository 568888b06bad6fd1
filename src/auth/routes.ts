import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { Type } from 'typebox'
import { captchaClosed } from '../captcha/routes.ts'
import type { CaptchaSettings } from '../captcha/rules.ts'
import { ApiError, invalid } from '../errors.ts'
import { getRequestOptions } from '../factors/passkeys.ts'
import { PasskeyLogin, RequestOptions } from '../factors/schema.ts'
import type { WebauthnSettings } from '../factors/webauthn.ts'
import { Alternative, type CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import type { MailSettings } from '../mail/rules.ts'
import { listSessionsOf } from '../sessions/queries.ts'
import { type SessionSettings, signOut, revokeSession } from '../sessions/rules.ts'
import { type CookieSettings, emptyCookie, tradeCookie, wantsCookie, withCookie } from './cookie.ts'
import { type AdmissionSettings, problemsOfMode, registrationClosed } from './admission.ts'
import { exampleSignedIn } from '../users/example.ts'
import { signInWithPasskey } from './passkey-login.ts'
import { getMe, updateMe } from './me.ts'
import { type AuthTools, signIn, refreshSession, register } from './rules.ts'
import {
  Applied,
  LoginInput,
  Me,
  Refreshed,
  RefreshInput,
  RegisterInput,
  Sessions,
  SignedIn,
  toApplied,
  toSession,
  UpdateMeInput,
} from './schema.ts'

const { user: account, tokens } = exampleSignedIn
const COOKIE =
  'With `X-Session-Cookie: 1` the refresh token is set as an HttpOnly cookie, and is `null` in the response body.'

export interface AuthDeps extends CoreDeps, AuthTools {
  config: CaptchaSettings &
    CookieSettings &
    SessionSettings &
    MailSettings &
    WebauthnSettings &
    AdmissionSettings
}

export function registerAuth(api: Api<AuthDeps>): void {
  const registrations = [
    { routes: api, path: '/auth/register', id: 'register', summary: 'Create an account' },
    {
      routes: api.deprecated('/api/v1/auth/register'),
      path: '/auth/signup',
      id: 'registerFormerly',
      summary: 'Create an account (prefer register)',
    },
  ]
  for (const { routes, path, id, summary } of registrations) {
    routes.post(path, {
      id,
      summary,
      description: COOKIE,
      tag: 'Sessions',
      auth: {
        mode: 'public',
        refuse: async ({ deps, client, now }) =>
          (await registrationClosed(deps.db, deps.config, client, now)) ?? captchaClosed({ deps }),
      },
      body: RegisterInput,
      data: SignedIn,
      status: [
        201,
        {
          status: 202,
          data: Applied,
          example: {
            application: {
              id: 'reg_01kahw2q7nf5x9r3d8y6b4c1zs',
              status: 'pending',
              created_at: '2026-11-21T09:30:00.000Z',
            },
          },
        },
      ],
      errors: [
        'REGISTRATION_CLOSED',
        'INVITE_REQUIRED',
        'INVITE_INVALID',
        'CAPTCHA_NOT_CONFIGURED',
        'CAPTCHA_REQUIRED',
        'CAPTCHA_INVALID',
        'HANDLE_TAKEN',
        'EMAIL_TAKEN',
        'LEGACY_ACCOUNT_CONFLICT',
        'RATE_LIMITED',
        'SERVICE_UNAVAILABLE',
      ],
      example: { user: account, tokens },
      handler: {
        moreProblems: ({ db, config }, sent) => problemsOfMode(db, config, sent),
        first: async (call) => {
          const { deps, db, body, now } = call
          const answer = await register(db, deps, body, call, now)
          return answer.application
            ? new Alternative({ application: toApplied(answer.application) })
            : withCookie(call, answer)
        },
      },
    })
  }

  api.post('/auth/login', {
    id: 'signIn',
    summary: 'Sign in with handle or email',
    description: `With a second factor, repeat the request with \`otp\` or \`recovery_code\`, or sign in with a passkey. The \`details\` of \`SECOND_FACTOR_REQUIRED\` name the factors of the account. ${COOKIE}`,
    tag: 'Sessions',
    auth: 'public',
    body: LoginInput,
    data: SignedIn,
    errors: [
      'INVALID_CREDENTIALS',
      'SECOND_FACTOR_REQUIRED',
      'SECOND_FACTOR_INVALID',
      'ACCOUNT_SUSPENDED',
      'APPLICATION_PENDING',
      'RATE_LIMITED',
      'SERVICE_UNAVAILABLE',
    ],
    example: { user: account, tokens },
    handler: async (call) => {
      const { deps, db, body, now } = call
      return withCookie(call, await signIn(db, deps, body, call, now))
    },
  })

  api.post('/auth/login/passkey/options', {
    id: 'getPasskeyLoginOptions',
    summary: 'Get the options for signing in with a passkey in the browser',
    tag: 'Sessions',
    auth: 'public',
    data: RequestOptions,
    example: {
      options: {
        challenge: 'mJ0pQ1uYb2x',
        rpId: 'plaza.example',
        timeout: 300_000,
        userVerification: 'required',
      },
      expires_in: 300,
    },
    handler: ({ deps, now }) => getRequestOptions(deps.config, now),
  })

  api.post('/auth/login/passkey', {
    id: 'signInWithPasskey',
    summary: 'Sign in with a passkey, without a password',
    description: `Accepts the response of the browser once. ${COOKIE}`,
    tag: 'Sessions',
    auth: 'public',
    body: PasskeyLogin,
    data: SignedIn,
    errors: ['INVALID_CREDENTIALS', 'ACCOUNT_SUSPENDED', 'RATE_LIMITED'],
    example: exampleSignedIn,
    handler: async (call) => {
      const { deps, db, body, now } = call
      const credential = body.credential as unknown as AuthenticationResponseJSON
      return withCookie(call, await signInWithPasskey(db, deps, credential, call, now))
    },
  })

  api.post('/auth/refresh', {
    id: 'refreshSession',
    summary: 'Exchange a refresh token for new tokens',
    description:
      'Refresh tokens rotate. The previous token stays valid for 30 seconds and returns the same successor. An older token ends its session. With `X-Session-Cookie: 1`, a token missing in the body is read from the cookie, the new token is set as the cookie, and a 401 deletes the cookie.',
    tag: 'Sessions',
    auth: 'public',
    body: Type.Optional(RefreshInput),
    data: Refreshed,
    errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
    example: { tokens },
    handler: async (call) => {
      const { deps, db, body, now } = call
      const trade = (token: string) => refreshSession(db, deps.config, token, call, now)
      if (body.refresh_token !== undefined) {
        return withCookie(call, await trade(body.refresh_token))
      }
      if (!wantsCookie(call)) throw invalid('refresh_token', 'invalid.required')
      return tradeCookie(call, trade)
    },
  })

  api.post('/auth/logout', {
    id: 'signOut',
    summary: 'End this session',
    description: 'With `X-Session-Cookie: 1` the refresh token cookie is deleted.',
    tag: 'Sessions',
    auth: 'user',
    handler: async (call) => {
      await signOut(call.db, call.viewer)
      if (wantsCookie(call)) call.answerHeaders['set-cookie'] = emptyCookie(call)
    },
  })

  api.get('/auth/me', {
    id: 'getMe',
    summary: 'Read your account',
    tag: 'Me',
    auth: 'user',
    data: Me,
    example: { user: account },
    handler: ({ deps, db, viewer }) => getMe(db, deps.quota, viewer),
  })

  api.patch('/auth/me', {
    id: 'updateMe',
    summary: 'Change your account',
    description:
      'A new password or email needs the current password. A new password ends the other sessions. With `EMAIL_VERIFICATION=required` a new address waits in `pending_email` until it is verified, and null cancels the change.',
    tag: 'Me',
    auth: 'user',
    body: UpdateMeInput,
    data: Me,
    errors: ['EMAIL_TAKEN', 'LEGACY_ACCOUNT_CONFLICT', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
    example: { user: account },
    handler: ({ deps, db, viewer, body, language, now }) =>
      updateMe(db, deps, viewer, body, { language, now }),
  })

  api.get('/auth/sessions', {
    id: 'listSessions',
    summary: 'List your sessions',
    tag: 'Sessions',
    auth: 'user',
    data: Sessions,
    example: {
      sessions: [
        {
          id: 'ses_01kazqjv2mc6s0h1y8ejdvq5pf',
          user_agent: 'curl/8.5.0',
          ip: '203.0.113.7',
          created_at: '2026-11-21T08:12:45.120Z',
          last_seen_at: '2026-11-21T08:12:45.120Z',
          expires_at: '2026-12-21T08:12:45.120Z',
          is_current: true,
        },
      ],
    },
    handler: async ({ db, viewer, now }) => ({
      sessions: (await listSessionsOf(db, viewer.id, now)).map((row) =>
        toSession(row, viewer.sessionId),
      ),
    }),
  })

  api.delete('/auth/sessions/:id', {
    id: 'revokeSession',
    summary: 'End one of your sessions',
    tag: 'Sessions',
    auth: 'user',
    params: { id: { id: 'ses', missing: 'SESSION_NOT_FOUND', only: 'owner' } },
    errors: ['SESSION_NOT_FOUND'],
    handler: ({ db, viewer, params }) => revokeSession(db, viewer, params.id),
  })

  api.post('/auth/oauth/:provider', {
    id: 'signInWithProvider',
    summary: 'Sign in through another provider: not available',
    tag: 'Sessions',
    auth: 'public',
    params: { provider: { text: true } },
    errors: ['NOT_IMPLEMENTED'],
    handler: () => {
      throw new ApiError('NOT_IMPLEMENTED')
    },
  })
}
