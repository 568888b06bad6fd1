import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { type CaptchaSettings, createChallenge, verifyCaptcha } from './rules.ts'
import { ChallengeAnswer, VerifyAnswer, VerifyInput } from './schema.ts'

export interface CaptchaDeps extends CoreDeps {
  config: CaptchaSettings
}

/**
 * Returns CAPTCHA_NOT_CONFIGURED when no captcha secret is set, otherwise undefined. The error closes the captcha
 * routes.
 */
export function captchaClosed({ deps }: { deps: { config: CaptchaSettings } }) {
  return deps.config.captchaSecret ? undefined : ('CAPTCHA_NOT_CONFIGURED' as const)
}

export function registerCaptcha(api: Api<CaptchaDeps>): void {
  api.post('/captcha/challenge', {
    id: 'createChallenge',
    summary: 'Get a proof-of-work challenge',
    tag: 'Captcha',
    auth: { mode: 'public', refuse: captchaClosed },
    data: ChallengeAnswer,
    errors: ['CAPTCHA_NOT_CONFIGURED', 'RATE_LIMITED'],
    example: {
      challenge: {
        parameters: {
          algorithm: 'PBKDF2/SHA-256',
          cost: 5000,
          expiresAt: 1795251600,
          keyLength: 32,
          keyPrefix: '0a7c2f54b1d3e8896a2b6d7c1f0e9d8c',
          keySignature: '6f1f0c7f3b3a2d1e9c8b7a695847362514039281706f5e4d3c2b1a0918273645',
          nonce: 'f3c1a2b4d5e6978812345678abcdef90',
          salt: '0123456789abcdef0123456789abcdef',
        },
        signature: 'b2a1908f7e6d5c4b3a29180716f5e4d3c2b1a0f9e8d7c6b5a493827160504132',
      },
      expires_at: '2026-11-21T09:00:00.000Z',
    },
    handler: (call) => createChallenge(call.db, call.deps.config, call, call.now),
  })

  api.post('/captcha/verify', {
    id: 'verifyCaptcha',
    summary: 'Exchange a solved challenge for a captcha token',
    description: 'Each challenge can be used once. The token creates one account.',
    tag: 'Captcha',
    auth: { mode: 'public', refuse: captchaClosed },
    body: VerifyInput,
    data: VerifyAnswer,
    errors: ['CAPTCHA_NOT_CONFIGURED', 'CAPTCHA_INVALID'],
    example: {
      verified: true,
      captcha_token: 'plc_5Y0kq3l9mZ0d8S1vXo7nq2wBfC4uH6tRjE9aLpKiGxM',
      expires_in: 600,
    },
    handler: ({ deps, db, body, now }) => verifyCaptcha(db, deps.config, body.payload, now),
  })
}
