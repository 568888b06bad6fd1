import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { PASSWORD } from '../../test/actors.ts'
import { startApp } from '../../test/app.ts'
import { captchaToken } from '../../test/captcha.ts'
import { assertError, dataOf, times } from '../../test/make.ts'

const app = await startApp({ TRUST_PROXY: '0' })
const warn = mock.method(app.deps.log, 'warn')

test('limits requests that an untrusted proxy forwards from loopback, and logs one warning', async () => {
  assert.equal(warn.mock.callCount(), 0)
  const challenges = await times(125, () => app.anon.post('/captcha/challenge'))
  for (const answer of challenges) dataOf(answer)
  assert.equal(warn.mock.callCount(), 0)
  const tokens = await times(25, () => captchaToken(app.anon))
  for (const [name, value] of [
    ['x-forwarded-for', '198.51.100.7'],
    ['forwarded', 'for=192.0.2.1'],
  ] as const) {
    const headers = { [name]: value }
    const forwarded = await times(125, () =>
      app.anon.post('/captcha/challenge', undefined, { headers }),
    )
    const refused = forwarded.filter(({ status }) => status === 429)
    assert.ok(refused.length >= 5)
    for (const answer of refused) assertError(answer, 429, 'RATE_LIMITED')
  }
  const headers = { 'x-forwarded-for': '198.51.100.7' }
  const registrations = await times(25, (i) => {
    const handle = `f${i}${Math.random().toString(36).slice(2, 10)}`
    const account = { handle, email: `${handle}@example.test`, password: PASSWORD }
    return app.anon.post('/auth/register', { ...account, captcha_token: tokens[i] }, { headers })
  })
  assert.equal(registrations.filter(({ status }) => status === 201).length, 20)
  const warnings = warn.mock.calls.filter(({ arguments: [text] }) =>
    String(text).startsWith('untrusted proxy: '),
  )
  assert.equal(warnings.length, 1)
  dataOf(await app.anon.post('/captcha/challenge'))
})
