import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '../../test/actors.ts'
import { type Actor, startApp } from '../../test/app.ts'
import { dataOf, times } from '../../test/make.ts'
import { updateMe } from './me.ts'
import { type PasswordSlot, Passwords } from '../factors/passwords.ts'
import { resetWithCode } from './password-reset.ts'
import { signIn } from './rules.ts'

const app = await startApp()
const client = { ip: '198.51.100.7', isForwarded: false, userAgent: null, language: 'en' as const }

/**
 * A stand-in for the password hasher. It accepts only PASSWORD and does not limit simultaneous calls.
 * Verifications finish only after `awaited` of them have started.
 */
class Roomy extends Passwords {
  looked = 0
  readonly #gate = Promise.withResolvers<void>()
  readonly #awaited: number
  constructor(awaited: number) {
    super()
    this.#awaited = awaited
  }
  override withSlot<T>(action: (slot: PasswordSlot) => Promise<T>): Promise<T> {
    return action({
      hash: (password) => Promise.resolve(password),
      matches: async (_stored, password) => {
        if (++this.looked === this.#awaited) this.#gate.resolve()
        await this.#gate.promise
        return password === PASSWORD
      },
    })
  }
}

const trySignIn = (passwords: Passwords, { handle }: Actor, password = PASSWORD) =>
  signIn(
    app.db,
    { ...app.deps, passwords },
    { identifier: handle, password },
    client,
    app.clock.now(),
  ).then(
    () => 'OK',
    ({ code }) => String(code),
  )

const count = (outcomes: string[], outcome: string) =>
  outcomes.filter((entry) => entry === outcome).length

test('fifteen simultaneous logins with the right password all succeed', async () => {
  const alice = await app.user()
  const outcomes = await times(15, () => trySignIn(new Roomy(1), alice))
  assert.equal(count(outcomes, 'OK'), 15)
  const passwords = new Roomy(10)
  assert.deepEqual(await times(15, () => trySignIn(passwords, alice)), Array(15).fill('OK'))
  assert.equal(passwords.looked, 15)
})

test('accepts the right password after nine failures, but not after a tenth', async () => {
  const alice = await app.user()
  await times(9, () => trySignIn(new Roomy(1), alice, 'a wrong one'))
  const passwords = new Roomy(1)
  assert.deepEqual(await times(12, () => trySignIn(passwords, alice)), Array(12).fill('OK'))
  assert.equal(await trySignIn(passwords, alice, 'a wrong one'), 'INVALID_CREDENTIALS')
  assert.equal(await trySignIn(passwords, alice), 'RATE_LIMITED')
  assert.equal(passwords.looked, 13)
})

test('simultaneous account changes with the right password never hit the limit', async () => {
  const alice = await app.user()
  const passwords = new Roomy(100)
  const viewer = {
    id: alice.id,
    handle: alice.handle,
    role: 'user',
    tier: 'regular',
    permissions: [],
    isVerified: true,
  } as const
  const holder = { ...viewer, sessionId: 'ses_none', key: null }
  const change = (password: string) =>
    updateMe(
      app.db,
      { ...app.deps, passwords },
      holder,
      { email: alice.email, current_password: password },
      { language: 'en', now: app.clock.now() },
    ).then(
      () => 'OK',
      ({ code }) => String(code),
    )
  assert.deepEqual(await times(110, () => change(PASSWORD)), Array(110).fill('OK'))
  const outcomes = await times(110, () => change('a wrong one'))
  assert.equal(count(outcomes, 'VALIDATION_ERROR'), 100)
  assert.equal(count(outcomes, 'RATE_LIMITED'), 10)
})

test('a reset with a recovery code begins no attempt before it has a slot', async () => {
  const alice = await app.user()
  const sent = { current_password: PASSWORD }
  const { recovery_codes } = dataOf(await alice.post('/auth/recovery-codes', sent), 201)
  const begun: number[] = []
  class Watched extends Passwords {
    override async withSlot<T>(action: (slot: PasswordSlot) => Promise<T>): Promise<T> {
      begun.push(
        Number(
          await app.value(
            `select coalesce(sum(count), 0) as n from attempts where bucket like 'login:%:${alice.id}%'`,
          ),
        ),
      )
      return super.withSlot(action)
    }
  }
  await resetWithCode(
    app.db,
    { ...app.deps, passwords: new Watched() },
    { identifier: alice.handle, recovery_code: recovery_codes[0], new_password: 'a new walk 7' },
    client,
    app.clock.now(),
  )
  assert.deepEqual(begun, [0])
})
