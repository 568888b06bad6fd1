import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { newPlace } from '../../test/app.ts'
import { openDatabase } from '../db/open.ts'
import { Backup, BackupDamaged, BackupWriter } from './archive.ts'
import { Filling } from './load.ts'
import type { Manifest } from './manifest.ts'
import { writeHeader } from './tar.ts'

const place = await newPlace(() => db.close())
const db = openDatabase(place)

const END_IT = "0, '[]'); drop table users; --"
const migration = { number: 1, name: 'accounts', applied_at: 0 }

test('never executes the id or the migrations of a backup as SQL', async () => {
  const source = { id: `x', 'y', ${END_IT}`, migrations: [migration] }
  const filling = await Filling.begin(db, source)
  const [mark] = await db.script((run) => run('select source from unfinished_restore'))
  assert.equal(mark?.['source'], source.id)
  for (const field of ['number', 'applied_at']) {
    const lie = { ...migration, [field]: '0); drop table users; --' }
    await assert.rejects(filling.finish({ ...source, migrations: [lie] }), field)
  }
  const [users] = await db.script((run) => run('select count(*) as n from users'))
  assert.equal(Number(users?.['n']), 0)
})

test('rejects a part larger than the archive before allocating memory', async () => {
  const file = join(place.dataDir, 'hostile.tar')
  const writer = await BackupWriter.create(file, Date.now())
  const lie = { name: 'files/huge', size: 2 ** 46 }
  const header = writeHeader(lie, 0)
  const { offset } = await writer.write('files/harmless', header.length, [header])
  await writer.finish({ tables: [] } as unknown as Omit<Manifest, 'format'>)
  const backup = await Backup.open(file)
  const part = { path: lie.name, offset: offset + header.length, size: lie.size, sha256: '' }
  await assert.rejects(backup.read(part), BackupDamaged)
  await backup.close()
})
