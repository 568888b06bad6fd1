import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { settingsOf, startApp, testSecrets } from '../../test/app.ts'
import { plazaOn } from '../../test/command.ts'
import { dataOf } from '../../test/make.ts'
import { childEnv } from '../../test/process.ts'

const app = await startApp()
const entry = resolve(import.meta.dirname, '../../bin/plaza.mjs')
const PASSWORD = 'a password that stays unseen'
const env = childEnv({ ...testSecrets(), ...settingsOf(app.deps.config) })

const create = (handle: string) => [
  'user',
  'create',
  '--handle',
  handle,
  '--email',
  `${handle}@example.test`,
]

async function signIn(handle: string): Promise<void> {
  const login = { identifier: handle, password: PASSWORD }
  assert.equal(dataOf(await app.anon.post('/auth/login', login)).user.handle, handle)
}

test('--password - reads the first line of standard input', async () => {
  for (const [handle, input, code] of [
    ['piped', `${PASSWORD}\n`, 0],
    ['windows', `${PASSWORD}\r\nmore\n`, 0],
    ['nothing', '', 2],
  ] as const) {
    const child = spawn(process.execPath, [entry, ...create(handle), '--password', '-'], { env })
    child.stdin.end(input)
    const [ended] = await once(child, 'close')
    assert.equal(ended, code)
    if (code === 0) await signIn(handle)
  }
})

test('exits with 2 without --password and without a terminal', async () => {
  const { code, out, err } = await plazaOn(app.deps.config)(...create('nobody_asked'))
  assert.deepEqual([code, out], [2, ''])
  assert.match(err, /^plaza: --password is missing; --password - reads it from standard input\n/)
})

async function createOnTerminal(handle: string, answers: readonly [string, string]) {
  const command = [process.execPath, entry, ...create(handle)].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qec', command, '/dev/null'], { env })
  let shown = ''
  const questions = ['Password: ', 'Again: ']
  child.stdout.on('data', (data: Buffer) => {
    shown += data.toString()
    while (questions.length > 0 && shown.includes(questions[0] as string)) {
      questions.shift()
      child.stdin.write(`${answers[1 - questions.length]}\r`)
    }
  })
  const [code] = await once(child, 'close')
  return { code, shown }
}

test('asks twice for the password on a terminal, without echo', async () => {
  const made = await createOnTerminal('asked', [PASSWORD, PASSWORD])
  assert.equal(made.code, 0, made.shown)
  assert.match(made.shown, /created asked \(usr_\w{26}\)/)
  assert.ok(!made.shown.includes(PASSWORD), made.shown)
  await signIn('asked')
  const refused = await createOnTerminal('differs', [PASSWORD, `${PASSWORD}!`])
  assert.equal(refused.code, 1)
  assert.match(refused.shown, /plaza: the passwords differ/)
  assert.deepEqual(await app.sql("select 1 from users where handle = 'differs'"), [])
})
