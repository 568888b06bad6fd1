import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { dataOf } from '../../test/make.ts'

const app = await startApp()

test('a session is good until it is revoked', async () => {
  const alice = await app.user()
  const { user } = dataOf(await alice.get('/auth/me'))
  assert.equal(user.handle, alice.handle)
})
