import assert from 'node:assert/strict'
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ENGINE } from '../../test/app.ts'
import { plazaOn, startCommand } from '../../test/command.ts'
import { plaza as run } from '../../test/process.ts'
import { SCHEMA } from '../db/migrate.ts'

const { plaza: plazaWithoutUrl, sql, dataDir, databaseUrl } = await startCommand()
const plaza = plazaOn({ dataDir, databaseUrl }, { PUBLIC_URL: 'https://plaza.example' })

interface Count {
  name: string
  drift: number
  example: string | null
}

async function examine() {
  const { code, out } = await plaza('doctor', '--json')
  const report = JSON.parse(out) as { ok: boolean; counts: Count[]; weaknesses: string[] }
  return { code, ...report, hints: (JSON.parse(out) as { hints: string[] }).hints }
}

test('rejects a database without a schema, and creates none', async () => {
  if (ENGINE === 'sqlite') new DatabaseSync(join(dataDir, 'plaza.db')).close()
  const { code, err } = await plaza('doctor')
  assert.equal(code, 1)
  assert.match(err, /^plaza: the database has no schema, .* plaza migrate brings it up to date$/m)
  await assert.rejects(sql('select number from schema_migrations'), /schema_migrations/)
})

test('accepts an empty database, and hints that it has no administrator', async () => {
  assert.equal((await plaza('migrate')).code, 0)
  const { code, ok, hints } = await examine()
  assert.deepEqual([code, ok, hints.length], [0, true, 1])
})

test('hints that search engines leave out a site without a public URL', async () => {
  const { code, out } = await plazaWithoutUrl('doctor')
  assert.equal(code, 0)
  assert.match(out, /^hint: PUBLIC_URL is not set/m)
  assert.doesNotMatch((await plaza('doctor')).out, /PUBLIC_URL/)
})

test('reports nothing when there are users and an administrator', async () => {
  for (const [handle, ...more] of [['mina'], ['joon'], ['boss', '--admin']] as const) {
    const who = ['--handle', handle, '--email', `${handle}@example.test`]
    const { code, err } = await plaza(
      'user',
      'create',
      ...who,
      '--password',
      'a long walk',
      ...more,
    )
    assert.equal(code, 0, err)
  }
  const report = await examine()
  assert.deepEqual([report.code, report.ok, report.hints], [0, true, []])
  assert.deepEqual(
    report.counts.filter(({ drift }) => drift > 0),
    [],
  )
})

test('reports secrets that others can read', {
  skip: ENGINE === 'postgres' && 'with PostgreSQL there is no secrets file',
}, async () => {
  const file = join(dataDir, 'secrets.json')
  chmodSync(file, 0o644)
  const { code, ok, weaknesses } = await examine()
  assert.deepEqual([code, ok, weaknesses.length], [1, false, 1])
  chmodSync(file, 0o600)
})

test('reports a dangling reference', {
  skip: ENGINE === 'postgres' && 'PostgreSQL prevents dangling references',
}, async () => {
  const db = new DatabaseSync(join(dataDir, 'plaza.db'))
  db.exec("pragma foreign_keys = off; insert into post_likes values ('pst_x', 'usr_x', 1)")
  const { code, out } = await plaza('doctor')
  assert.equal(code, 1)
  assert.match(out, /^damaged: a row of post_likes refers to a missing row$/m)
  db.exec("delete from post_likes where post_id = 'pst_x'")
  db.close()
})

test('counts correct values in one line, describes wrong ones, and --json lists all', async () => {
  const { counts } = await examine()
  const well = await plaza('doctor')
  assert.equal(well.code, 0, well.out)
  const lines = [
    `${ENGINE}, schema \\d+`,
    `${counts.length} counts checked, 0 drifted`,
    'all is well',
  ]
  assert.match(well.out, new RegExp(`^${lines.join('\\n')}\\n$`))
  const [{ users } = { users: 0 }] = await sql('select count(*) as users from user_counts')
  await sql('update user_counts set follower_count = follower_count + 1')
  const { code, out } = await plaza('doctor')
  assert.equal(code, 1)
  assert.ok(out.includes(`${counts.length} counts checked, 1 drifted\n`), out)
  const driftedLines = out.split('\n').filter((line) => line.startsWith('drifted: '))
  const drifted = `follower_count.*, ${Number(users)} rows, such as usr_\\w{26}`
  assert.match(driftedLines.join('\n'), new RegExp(`^drifted: .*${drifted}$`))
  assert.doesNotMatch(out, /all is well/)
  const report = await examine()
  assert.deepEqual([report.code, report.ok, report.counts.length], [1, false, counts.length])
  await sql('update user_counts set follower_count = follower_count - 1')
  assert.equal((await examine()).ok, true)
})

test('rejects a schema of another version and leaves it unchanged', async () => {
  const applied = () =>
    sql('select number, name, applied_at from schema_migrations order by number')
  const before = await applied()
  const latest = `number = ${SCHEMA}`
  for (const [number, expected] of [
    [SCHEMA + 1, /^plaza: the database has schema \d+, this version of Plaza knows \d+/m],
    [SCHEMA - 1, /^plaza: the database has schema \d+, .* plaza migrate brings it up to date$/m],
  ] as const) {
    if (number > SCHEMA)
      await sql(`update schema_migrations set number = ${number} where ${latest}`)
    else await sql(`delete from schema_migrations where ${latest}`)
    const found = await applied()
    const { code, err } = await plaza('doctor')
    assert.equal(code, 1)
    assert.match(err, expected)
    assert.deepEqual(await applied(), found)
    const { name, applied_at: appliedAt } = before.at(-1) as Record<string, unknown>
    await sql(`delete from schema_migrations where number >= ${SCHEMA}`)
    await sql(
      `insert into schema_migrations values (${SCHEMA}, '${String(name)}', ${String(appliedAt)})`,
    )
  }
  assert.deepEqual(await applied(), before)
})

test('rejects a folder without a database, and creates none', {
  skip: ENGINE === 'postgres' && 'the database is not in a folder',
}, async () => {
  const DATA_DIR = join(dataDir, 'mistyped')
  const { code, out } = await run(['doctor'], { DATA_DIR })
  assert.equal(code, 1)
  assert.match(out, /^plaza: there is no database in .*mistyped/m)
  assert.equal(existsSync(DATA_DIR), false)
})
