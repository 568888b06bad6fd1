import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { captchaToken, solvedPayload } from '../../test/captcha.ts'
import { assertError, assertInvalid, dataOf, times } from '../../test/make.ts'

const app = await startApp()
const closed = await startApp({ CAPTCHA_SECRET: '' })
const { anon } = app

const registration = (
  captcha_token: string,
  handle = `h${Math.random().toString(36).slice(2, 12)}`,
) =>
  anon.post('/auth/register', {
    handle,
    email: `${handle}@example.test`,
    password: 'a long password',
    captcha_token,
  })

async function forged(change: (solved: Record<string, never>) => void): Promise<string> {
  const solved = JSON.parse(Buffer.from(await solvedPayload(anon), 'base64').toString())
  change(solved)
  return Buffer.from(JSON.stringify(solved)).toString('base64')
}

test('a solved challenge returns a token for one account', async () => {
  const token = await captchaToken(anon)
  dataOf(await registration(token), 201)
  assertError(await registration(token), 422, 'CAPTCHA_INVALID')
})

test('a solution works once, also with simultaneous requests', async () => {
  const payload = await solvedPayload(anon)
  const answers = await times(12, () => anon.post('/captcha/verify', { payload }))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers) {
    if (answer.status !== 200) assertError(answer, 422, 'CAPTCHA_INVALID')
  }
})

test('a solution works once across two servers', async () => {
  const sibling = await app.sibling()
  const payload = await solvedPayload(anon)
  const answers = await Promise.all(
    [anon, sibling.anon, anon, sibling.anon].map((client) =>
      client.post('/captcha/verify', { payload }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
})

test('a token creates one account, also with simultaneous requests', async () => {
  const token = await captchaToken(anon)
  const answers = await times(6, () => registration(token))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422, 422, 422, 422])
})

test('a failed registration leaves the token valid', async () => {
  const token = await captchaToken(anon)
  const taken = await app.user()
  assertError(await registration(token, taken.handle), 409, 'HANDLE_TAKEN')
  assertInvalid(await registration(token, 'x'), 'handle')
  dataOf(await registration(token), 201)
})

test('rejects a forged solution, whichever field is changed', async () => {
  const changes: ((solved: never) => void)[] = [
    (solved: { challenge: { signature: string } }) => {
      solved.challenge.signature = solved.challenge.signature.replace(/^./, (c) =>
        c === 'a' ? 'b' : 'a',
      )
    },
    (solved: { challenge: { parameters: { keyPrefix: string } } }) => {
      solved.challenge.parameters.keyPrefix = '0'
    },
    (solved: { challenge: { parameters: { cost: number } } }) => {
      solved.challenge.parameters.cost = 1
    },
    (solved: { challenge: { parameters: { expiresAt: number } } }) => {
      solved.challenge.parameters.expiresAt += 100_000
    },
    (solved: { solution: { derivedKey: string } }) => {
      solved.solution.derivedKey = solved.solution.derivedKey.replace(/^./, (c) =>
        c === 'a' ? 'b' : 'a',
      )
    },
    (solved: { solution: unknown }) => {
      solved.solution = null
    },
    (solved: { challenge: { parameters: unknown } }) => {
      solved.challenge.parameters = { nonce: 5 }
    },
  ]
  for (const change of changes) {
    const answer = await anon.post('/captcha/verify', { payload: await forged(change as never) })
    assertError(answer, 422, 'CAPTCHA_INVALID')
  }
})

test('a malformed solution is CAPTCHA_INVALID, a missing one VALIDATION_ERROR', async () => {
  for (const payload of [
    'junk',
    'bnVsbA==',
    'W10=',
    Buffer.from('{"challenge":{}}').toString('base64'),
  ]) {
    assertError(await anon.post('/captcha/verify', { payload }), 422, 'CAPTCHA_INVALID')
  }
  for (const body of [{}, { payload: 5 }, { payload: null }, { payload: [] }]) {
    assertInvalid(await anon.post('/captcha/verify', body), 'payload')
  }
})

test('challenges and tokens expire', async () => {
  const payload = await solvedPayload(anon)
  const token = await captchaToken(anon)
  app.clock.advance(11 * 60_000)
  assertError(await anon.post('/captcha/verify', { payload }), 422, 'CAPTCHA_INVALID')
  assertError(await registration(token), 422, 'CAPTCHA_INVALID')
})

test('registration is closed and creates no user when the captcha secret is missing', async () => {
  const before = await closed.count('users')
  for (const path of ['/captcha/challenge', '/captcha/verify', '/auth/register', '/auth/signup']) {
    assertError(await closed.anon.post(path, { payload: 'x' }), 503, 'CAPTCHA_NOT_CONFIGURED')
  }
  assert.equal(await closed.count('users'), before)
})
