import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import { captchaToken } from '../../test/captcha.ts'
import { type Outcome, plazaOn, startCommand } from '../../test/command.ts'
import { addPasskey, enableTotp } from '../../test/factors.ts'
import { assertError, dataOf, makeComment, makeContent, valuesOf } from '../../test/make.ts'
import { startSmtp } from '../../test/smtp.ts'

const app = await startApp()
const beside = plazaOn(app.deps.config)

const PASSWORD = 'an operator chose it'

const create = (handle: string, ...more: string[]) => {
  const email = `${handle}@example.test`
  return ['user', 'create', '--handle', handle, '--email', email, '--password', PASSWORD, ...more]
}

function assertOutcome(outcome: Outcome, code: number, text: RegExp): void {
  assert.match(code === 0 ? outcome.out : outcome.err, text)
  assert.deepEqual([outcome.code, code === 0 ? outcome.err : outcome.out], [code, ''])
}

test('an account created while a server is running can sign in immediately', async () => {
  const made = await beside(...create('Operator', '--admin', '--display-name', '운영자'))
  assertOutcome(made, 0, /^created administrator operator \(usr_\w{26}\)\n$/)
  const login = { identifier: 'operator', password: PASSWORD }
  const { user } = dataOf(await app.anon.post('/auth/login', login))
  assert.deepEqual([user.handle, user.role, user.display_name], ['operator', 'admin', '운영자'])
})

test('applies the rules of registration to the operator, with one line per error', async () => {
  const before = await app.sql('select count(*) as n from users')
  const someone = await app.user()
  const [taken, address, invalid, legacy] = await Promise.all([
    beside(...create(someone.handle.toUpperCase())),
    beside(
      'user',
      'create',
      '--handle',
      'another',
      '--email',
      someone.email,
      '--password',
      PASSWORD,
    ),
    beside('user', 'create', '--handle', 'admin', '--email', 'nowhere', '--password', 'short'),
    beside('user', 'create', '--handle', 'x', '--email', 'x@y.z', '--password', PASSWORD),
  ])
  assertOutcome(taken, 1, /^plaza: the handle \w+ is taken\n$/)
  assertOutcome(address, 1, /^plaza: the email \S+ is taken\n$/)
  assertOutcome(invalid, 1, /^plaza: --password: .*--handle: This word is reserved.*--email: .*\n$/)
  assertOutcome(legacy, 1, /^plaza: --handle: Must be at least 3 characters long\.\n$/)
  assert.equal(await app.count('users'), Number(before[0]?.['n']) + 1)
})

test('rejects a common password and an invisible name from the operator too', async () => {
  const handle = ['--handle', 'plain_one', '--email', 'plain@example.test']
  const [common, hidden] = await Promise.all([
    beside('user', 'create', ...handle, '--password', 'password123'),
    beside('user', 'create', ...handle, '--password', PASSWORD, '--display-name', '\u3164'),
  ])
  assertOutcome(common, 1, /^plaza: --password: This password is too common.*\n$/)
  assertOutcome(hidden, 1, /^plaza: --display-name: .*\n$/)
  assert.deepEqual(await app.sql("select id from users where handle = 'plain_one'"), [])
})

test('a promotion applies from the next request and is in the audit log once', async () => {
  const someone = await app.user()
  assert.equal((await someone.get('/admin/users')).status, 403)
  assertOutcome(await beside('user', 'promote', someone.handle.toUpperCase()), 0, /now\n$/)
  assert.equal((await someone.get('/admin/users')).status, 200)
  assertOutcome(await beside('user', 'promote', someone.handle), 0, /already\n$/)
  const { audit } = dataOf(await someone.get(`/admin/users/${someone.id}/audit`))
  assert.deepEqual(
    audit.map((entry: { action: string; actor: unknown }) => [entry.action, entry.actor]),
    [['role_changed', null]],
  )
})

test('removes the second factor of a user who is locked out', async () => {
  const someone = await app.user()
  const { codes } = await enableTotp(app, someone)
  await addPasskey(someone, 'http://localhost')
  const signIn = () =>
    app.anon.post('/auth/login', { identifier: someone.handle, password: someone.password })
  assert.equal((await signIn()).status, 401)
  const { code, out } = await beside('user', 'reset', someone.handle, '--second-factor')
  assert.equal(code, 0)
  assert.match(out, /reset-password#token=/)
  const { second_factor } = dataOf(await signIn()).user
  assert.deepEqual(second_factor, { is_enabled: false, methods: [], recovery_codes_left: 0 })
  const reset = {
    identifier: someone.handle,
    recovery_code: codes[0],
    new_password: 'another long password',
  }
  assert.equal((await app.anon.post('/auth/password-reset/confirm', reset)).status, 422)
})

test('prints a link that resets a password, and records it in the audit log', async () => {
  const [someone, admin] = [await app.user(), await app.admin()]
  const { code, out } = await beside('user', 'reset', someone.handle.toUpperCase())
  assert.equal(code, 0)
  const [, token = ''] =
    /^http:\S+\/reset-password#token=([\w-]{43})\nThe link works once/.exec(out) ?? []
  const confirmed = await app.anon.post('/auth/password-reset/confirm', {
    token,
    new_password: PASSWORD,
  })
  assert.equal(confirmed.status, 204)
  assertError(await someone.get('/auth/me'), 401, 'UNAUTHORIZED')
  dataOf(await app.anon.post('/auth/login', { identifier: someone.handle, password: PASSWORD }))
  const { audit } = dataOf(await admin.get(`/admin/users/${someone.id}/audit`))
  assert.deepEqual([audit[0].action, audit[0].actor], ['reset_link_created', null])
})

test('sends a test mail, and reports a missing or failing mail server in one line', async () => {
  const smtp = await startSmtp()
  const settings = { SMTP_URL: smtp.url, MAIL_FROM: 'post@plaza.test' }
  const configured = plazaOn(app.deps.config, settings)
  assertOutcome(await configured('mail', 'test', 'me@example.test'), 0, /accepted a mail to me@/)
  assert.match((await smtp.to('me@example.test')).text, /Plaza에서 메일을 보낼 수 있어요/)
  await smtp.stop()
  assertOutcome(
    await configured('mail', 'test', 'me@example.test'),
    1,
    /did not accept the mail: .*REFUSED/,
  )
  assertOutcome(await beside('mail', 'test', 'me@example.test'), 1, /SMTP_URL is not set/)
})

test('sets the tier of the named user only', async () => {
  const [target, untouched] = [await app.user(), await app.user()]
  assertOutcome(
    await beside('user', 'tier', target.handle, 'premium'),
    0,
    /has the tier premium now/,
  )
  const premium = await app.sql("select handle from users where tier = 'premium'")
  assert.deepEqual(valuesOf(premium, 'handle'), [target.handle])
  assert.notEqual(target.handle, untouched.handle)
})

test('reports an unknown handle', async () => {
  const outcomes = await Promise.all([
    beside('user', 'promote', 'nobody_here'),
    beside('user', 'reset', 'nobody_here'),
    beside('user', 'tier', 'nobody_here', 'regular'),
  ])
  for (const outcome of outcomes) {
    assertOutcome(outcome, 1, /^plaza: no user has the handle nobody_here\n$/)
  }
})

test('reserves former accounts, and reports bad rows without skipping others', async () => {
  const rows = Array.from({ length: 1200 }, (_, i) => `former_${i},former_${i}@example.test\r\n`)
  const bad = ['bad handle,a@example.test\r\n', 'good_handle,nowhere\r\n', 'short\r\n']
  const repeated = 'FORMER_7,Former_7@Example.test\r\n'
  const file = join(app.deps.config.dataDir, 'legacy.csv')
  writeFileSync(
    file,
    `handle,email\r\n"Quoted_1","Quoted@example.test"\r\n${bad.join('')}${rows.join('')}${repeated}`,
  )
  const first = await beside('legacy', 'import', file)
  assert.equal(first.out, '1201 imported, 1 already present, 3 rejected\n')
  assert.deepEqual(first.err.split('\n'), [
    'line 3: "bad handle" is not a handle',
    'line 4: "nowhere" is not an email address',
    'line 5: "" is not an email address',
    '',
  ])
  assert.equal(first.code, 0)
  const again = await beside('legacy', 'import', file)
  assert.equal(again.out, '0 imported, 1202 already present, 3 rejected\n')
  assertOutcome(await beside(...create('quoted_1')), 1, /former service has the handle quoted_1/)
})

test('reserves all names of former accounts that share an email or a handle', async () => {
  const file = join(app.deps.config.dataDir, 'shared.csv')
  const accounts = [
    'oldana,shared@example.test',
    'oldbea,shared@example.test',
    'oldana,ana@example.test',
  ]
  writeFileSync(file, `handle,email\n${accounts.join('\n')}\n`)
  assert.equal(
    (await beside('legacy', 'import', file)).out,
    '3 imported, 0 already present, 0 rejected\n',
  )
  assert.equal(
    (await beside('legacy', 'import', file)).out,
    '0 imported, 3 already present, 0 rejected\n',
  )
  const captcha_token = await captchaToken(app.anon)
  const names = [
    { handle: 'oldana' },
    { handle: 'oldbea' },
    { email: 'shared@example.test' },
    { email: 'ana@example.test' },
  ]
  for (const name of names) {
    const account = {
      handle: 'newcomer',
      email: 'newcomer@example.test',
      password: PASSWORD,
      captcha_token,
    }
    const answer = await app.anon.post('/auth/register', { ...account, ...name })
    assertError(answer, 409, 'LEGACY_ACCOUNT_CONFLICT')
  }
})

test('rejects a missing file and a wrong header, and imports nothing', async () => {
  const file = join(app.deps.config.dataDir, 'other.csv')
  writeFileSync(file, 'name,mail\nsomebody,somebody@example.test\n')
  const [missing, malformed] = await Promise.all([
    beside('legacy', 'import', `${file}.none`),
    beside('legacy', 'import', file),
  ])
  assertOutcome(missing, 1, /^plaza: ENOENT.*\n$/)
  assertOutcome(
    malformed,
    1,
    /^plaza: line 1: the header must name the columns handle and email\n$/,
  )
  assert.deepEqual(await app.sql("select 1 from legacy_accounts where handle = 'somebody'"), [])
})

test('exits with 2 and prints the usage on wrong arguments', async () => {
  const wrong = await Promise.all([
    beside('user', 'create', '--handle', 'somebody'),
    beside('user', 'tier', 'somebody', 'gold'),
    beside('user', 'promote', 'one', 'two'),
    beside('demo', '--works', 'many'),
    beside('doctor', '--loud'),
    beside('serve', 'loudly'),
  ])
  for (const { code, out, err } of wrong) {
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, /^plaza: .+\nUsage: plaza /)
  }
  const unknown = await beside('frobnicate', 'loudly')
  const line = 'plaza: unknown command "frobnicate loudly"; see plaza --help\n'
  assert.deepEqual(unknown, { code: 2, out: '', err: line })
  const help = await beside('--help')
  assert.equal(help.code, 0)
  assert.match(help.out, /user promote HANDLE/)
  const commandHelp = await beside('serve', '--help')
  assert.deepEqual(
    [commandHelp.code, commandHelp.out.split('\n')[0]],
    [0, 'Usage: plaza serve [--no-work]'],
  )
})

test('--version prints only the version', async () => {
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
  )
  assert.deepEqual(await beside('--version'), { code: 0, out: `${version}\n`, err: '' })
})

test('doctor sees a consistent snapshot while a server writes', async () => {
  const users = [await app.user(), await app.user(), await app.user()]
  const { id } = await makeContent(users[0] as Actor)
  let isOver = false
  const examined = beside('doctor', '--json').finally(() => (isOver = true))
  let writes = 0
  while (!isOver) {
    for (const user of users) {
      dataOf(await user.post(`/contents/${id}/like`))
      await makeComment(user, id)
      writes++
    }
  }
  const { code, out } = await examined
  const drifted = JSON.parse(out).counts.filter(({ drift }: { drift: number }) => drift > 0)
  assert.deepEqual([code, drifted, writes > 3], [0, [], true])
})

test('migrates an empty database once', async () => {
  const { plaza } = await startCommand()
  assertOutcome(
    await plaza('migrate'),
    0,
    /^applied accounts\n(.*\n)+schema is up to date \(\d+\)\n$/,
  )
  assertOutcome(await plaza('migrate'), 0, /^schema is up to date \(\d+\)\n$/)
})
