import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plaza, serve } from '../../test/process.ts'
import { temporaryFolder } from '../../test/files.ts'

const DATA_DIR = temporaryFolder('plaza-setup-')

const CODE = /^.*setup code: ([0-9A-Z]{5}(?:-[0-9A-Z]{5}){3}).*$/gm
const codesOf = (out: string) => [...out.matchAll(CODE)]

test('prints the same setup code at each start until there is an administrator', async () => {
  const settings = { DATA_DIR, LOG_LEVEL: 'silent', FFMPEG: 'off', CHROMIUM: 'off' }
  const first = await serve(settings)
  const second = await serve(settings)
  const [found, again] = [codesOf(first.out()), codesOf(second.out())]
  assert.equal(found.length, 1)
  assert.ok(found[0]?.[0].includes(`${first.url}/setup`))
  assert.equal(again[0]?.[1], found[0]?.[1])
  for (const { child, ended } of [first, second]) {
    child.kill()
    await ended
  }
  const account = [
    '--handle',
    'boss',
    '--email',
    'boss@example.test',
    '--password',
    'a long walk 12',
  ]
  assert.equal((await plaza(['user', 'create', ...account, '--admin'], settings)).code, 0)
  const third = await serve(settings)
  const answer = await fetch(`${third.url}/api/v1/setup`, { method: 'POST' })
  assert.equal(answer.status, 404)
  third.child.kill()
  await third.ended
  assert.ok(!third.out().includes('setup code'))
})
