import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Anyone, Loose } from './actors.ts'
import { dataOf } from './make.ts'

export async function solvedPayload(anon: Anyone): Promise<string> {
  const { challenge } = dataOf(await anon.post('/captcha/challenge'))
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

export async function captchaToken(anon: Anyone): Promise<string> {
  const payload = await solvedPayload(anon)
  return dataOf(await anon.post('/captcha/verify', { payload })).captcha_token
}

export async function register(anon: Anyone, handle: string): Promise<Loose> {
  const account = {
    handle,
    email: `${handle}@example.test`,
    password: 'a long password',
    captcha_token: await captchaToken(anon),
  }
  return dataOf(await anon.post('/auth/register', account), 201)
}
