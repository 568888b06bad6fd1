import { Type } from 'typebox'
import { time } from '../http/fields.ts'

export const ChallengeAnswer = Type.Object({
  challenge: Type.Object(
    {
      parameters: Type.Object(
        {
          algorithm: Type.String(),
          nonce: Type.String(),
          salt: Type.String(),
          cost: Type.Integer(),
          keyLength: Type.Integer(),
          keyPrefix: Type.String(),
          keySignature: Type.Optional(Type.String()),
          expiresAt: Type.Integer({ description: 'Epoch seconds' }),
        },
        { additionalProperties: true },
      ),
      signature: Type.String(),
    },
    { description: 'An ALTCHA challenge, proof of work version 2', title: 'CaptchaChallenge' },
  ),
  expires_at: time(),
})

export const VerifyInput = Type.Object(
  {
    payload: Type.String({
      maxLength: 10_000,
      description: 'The solved challenge: base64-encoded JSON, as ALTCHA produces it',
    }),
  },
  { examples: [{ payload: 'eyJjaGFsbGVuZ2UiOnsicGFyYW1ldGVycyI6e319LCJzb2x1dGlvbiI6e319' }] },
)

export const VerifyAnswer = Type.Object({
  verified: Type.Boolean(),
  captcha_token: Type.String(),
  expires_in: Type.Integer({ description: 'Seconds' }),
})
