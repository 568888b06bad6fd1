import assert from 'node:assert/strict'
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { newPlaceWithoutFolder, type Place } from '../../test/app.ts'
import { env, filesIn, newFile, withPlace } from '../../test/backups.ts'
import { plazaOn } from '../../test/command.ts'
import { dataOf, makeComment, makeContent, makePost } from '../../test/make.ts'
import { until } from '../../test/receiver.ts'
import { drawing, makeUpload } from '../../test/uploads.ts'

const plaza = (place: Place) => plazaOn(place, env)

const app = await startApp(env)
const { dataDir, databaseUrl } = app.deps.config
const [admin, ana, ben] = [await app.admin(), await app.user(), await app.user()]
const media = await makeUpload(ana, await drawing(61, 61).png().toBuffer())
const anas = await makeContent(ana, { upload_ids: [media.id] })
const [bens, gone] = [await makeContent(ben), await makeContent(ben, { title: 'Erased later' })]
const comment = await makeComment(ana, bens.id, { body: 'Private words' })
await makePost(ana, 'A private post')
const backup = newFile()
assert.equal((await plaza({ dataDir, databaseUrl })('backup', backup)).code, 0)

const choices = { contents: 'erase', texts: 'erase', reason: 'On request' }
dataOf(await admin.post(`/admin/users/${ana.id}/erasure`, choices), 202)
await ben.delete(`/contents/${gone.id}`)
dataOf(await ben.post(`/contents/${gone.id}/erasure`), 202)
await until(
  async () => (await app.sql(`select id from jobs where kind = 'erasure'`)).length === 0,
  'the end of the erasures',
)
const log = join(dataDir, 'erasures.jsonl')

async function idsIn(place: Place): Promise<string[]> {
  return withPlace(place, async ({ db }) => {
    const ids: string[] = []
    await db.script(async (run) => {
      for (const text of [
        'select id from contents',
        'select id from users where erased_at is null',
        'select id from comments where is_deleted = 0',
      ]) {
        ids.push(...(await run(text)).map((row) => String(row['id'])))
      }
    })
    return ids.filter((id) => [anas.id, gone.id, ana.id, comment.id, bens.id].includes(id)).sort()
  })
}

test('writes only ids and times to a file that nobody else can read', () => {
  const lines = readFileSync(log, 'utf8').trim().split('\n').filter(Boolean)
  const ids = lines.map((line) => {
    const entry = JSON.parse(line) as object
    assert.deepEqual(Object.keys(entry), ['id', 'erased_at'])
    return (entry as { id: string }).id
  })
  assert.deepEqual(ids.toSorted(), [anas.id, gone.id, ana.id].toSorted())
  assert.equal(statSync(log).mode & 0o777, 0o600)
})

test('a restore erases again what was erased after the backup', async () => {
  const place = await newPlaceWithoutFolder()
  mkdirSync(place.dataDir, { recursive: true })
  copyFileSync(log, join(place.dataDir, 'erasures.jsonl'))
  appendFileSync(join(place.dataDir, 'erasures.jsonl'), '{"id":"usr_x"}\nnot a line\n{"id":')
  const { code, out, err } = await plaza(place)('restore', backup)
  assert.equal(code, 0, err)
  assert.match(out, /^erased 3 users and contents again/m)
  assert.deepEqual(await idsIn(place), [bens.id])
  const text = JSON.stringify(await withPlace(place, ({ db }) => dump(db)))
  for (const secret of [ana.handle, 'Private words', 'A private post', 'Erased later']) {
    assert.ok(!text.includes(secret), secret)
  }
  const files = Object.keys(await filesIn(place)).filter((path) => path.includes(media.sha256))
  assert.deepEqual(files, [], 'the picture is not restored')
  const doctor = await plaza(place)('doctor')
  assert.match(doctor.out, /0 drifted/)
})

async function dump(db: Parameters<Parameters<typeof withPlace>[1]>[0]['db']) {
  const rows: unknown[] = []
  await db.script(async (run) => {
    for (const table of ['users', 'contents', 'comments', 'posts']) {
      rows.push(await run(`select * from ${table}`))
    }
  })
  return rows
}

test('the file can be named, and the doctor and the next start notice if it was forgotten', async () => {
  const named = await newPlaceWithoutFolder()
  const { code, err } = await plaza(named)('restore', backup, '--erasures', log)
  assert.equal(code, 0, err)
  assert.deepEqual(await idsIn(named), [bens.id])
  assert.ok(readFileSync(join(named.dataDir, 'erasures.jsonl'), 'utf8').includes(ana.id))

  const place = await newPlaceWithoutFolder()
  assert.equal((await plaza(place)('restore', backup)).code, 0)
  assert.equal((await idsIn(place)).length, 5, 'without the file everything is back')
  copyFileSync(log, join(place.dataDir, 'erasures.jsonl'))
  const doctor = await plaza(place)('doctor')
  assert.equal(doctor.code, 1)
  assert.match(doctor.out, /3 erased users and contents have data, such as (usr|cnt)_/)

  const wrong = await plaza(await newPlaceWithoutFolder())(
    'restore',
    backup,
    '--erasures',
    `${log}.missing`,
  )
  assert.equal(wrong.code, 2)
})
