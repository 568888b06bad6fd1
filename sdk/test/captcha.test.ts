import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { startApp } from '../../test/app.ts'
import { type CaptchaChallenge, solveChallenge } from '../src/index.ts'
import { clientOf } from './clients.ts'

const app = await startApp()

async function challengeOf(cost: number, counter?: number): Promise<CaptchaChallenge> {
  const made = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost,
    deriveKey,
    expiresAt: Math.floor(Date.now() / 1000) + 600,
    hmacSignatureSecret: 'a secret',
    ...(counter !== undefined && { counter }),
  })
  return made as CaptchaChallenge
}

test('registers and signs in with a solved captcha', async () => {
  const { plaza } = clientOf(app.url)
  const shares: number[] = []
  const captcha_token = await plaza.solveCaptcha({ onProgress: (share) => shares.push(share) })
  assert.match(captcha_token, /^plc_/)
  assert.equal(shares.at(-1), 1)
  const answer = await plaza.register({
    handle: 'mina_s',
    email: 'mina@example.test',
    password: 'a long walk by the river',
    captcha_token,
  })
  assert.ok('user' in answer)
  assert.equal((await plaza.me.get()).user.id, answer.user.id)
})

test('finds the hidden solution', async () => {
  assert.equal((await solveChallenge(await challengeOf(10, 73))).counter, 73)
  const short = await challengeOf(10)
  assert.equal(short.parameters.keyPrefix, '00')
  assert.match((await solveChallenge(short)).derivedKey, /^00/)
})

test('yields to other tasks, reports progress and stops on abort while solving', async () => {
  const challenge = await challengeOf(20_000, 140)
  const stop = new AbortController()
  const shares: number[] = []
  let turns = 0
  const timer = setInterval(() => (turns += 1), 5)
  const onProgress = (share: number) => {
    shares.push(share)
    if (shares.length === 3) stop.abort()
  }
  const solving = solveChallenge(challenge, { onProgress, signal: stop.signal })
  await assert.rejects(solving, { code: 'ABORTED' })
  clearInterval(timer)
  assert.equal(shares.length, 3)
  assert.ok(shares.every((share, index) => share > (shares[index - 1] ?? 0) && share < 1))
  assert.ok(turns >= 3, `${turns} turns`)
})

test('throws a TypeError when a challenge cannot be solved', async () => {
  const challenge = await challengeOf(10, 5)
  const unsupported = {
    ...challenge,
    parameters: { ...challenge.parameters, algorithm: 'ARGON2ID' },
  }
  await assert.rejects(solveChallenge(unsupported), TypeError)
  const empty = { ...challenge, parameters: { ...challenge.parameters, keyPrefix: '' } }
  await assert.rejects(solveChallenge(empty), TypeError)
})
