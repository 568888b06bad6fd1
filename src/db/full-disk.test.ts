import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ENGINE } from '../../test/app.ts'
import { migrate } from './migrate.ts'
import { openSqlite } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'plaza-full-'))
let isMounted = false
try {
  const options = ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]
  if (ENGINE === 'sqlite') execFileSync('mount', options, { stdio: 'ignore' })
  isMounted = ENGINE === 'sqlite'
} catch {
  // Only root can mount. For other users, the tests are skipped.
}
after(() => {
  if (isMounted) execFileSync('umount', [folder])
  rmSync(folder, { recursive: true, force: true })
})

test('reports a full disk when a database is opened there', {
  skip: !isMounted && 'needs a disk of its own, on the embedded engine',
}, async () => {
  const file = join(folder, 'plaza.db')
  const db = openSqlite(file)
  await migrate(db, Date.now)
  await db.close()
  assert.throws(() => writeFileSync(join(folder, 'filler'), Buffer.alloc(16_000_000)), {
    code: 'ENOSPC',
  })
  assert.throws(() => openSqlite(file), { message: `${file}: the disk is full` })
  rmSync(join(folder, 'filler'))
  await openSqlite(file).close()
})
