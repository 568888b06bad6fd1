/**
 * Tests that forbidden addresses are rejected even when they are reachable, as in the network namespace of
 * test/network-inside.ts.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { ENGINE } from '../../test/app.ts'
import { temporaryFolder } from '../../test/files.ts'
import { childEnv } from '../../test/process.ts'

const UNSHARE = ['--map-root-user', '--net', '--mount']
const SCRIPT = resolve(import.meta.dirname, '../../test/network-inside.ts')

function obstacle(): string | false {
  if (ENGINE === 'postgres') return 'the engine does not matter here: runs on SQLite only'
  const needed = 'ip link set lo up && mount --bind /dev/null /etc/resolv.conf'
  const { status } = spawnSync('unshare', [...UNSHARE, 'sh', '-c', needed])
  return status !== 0 && 'this machine cannot create network namespaces (unshare, ip, mount)'
}

test('opens no connection in a thousand attempts to reach private addresses', {
  skip: obstacle(),
}, () => {
  const names = join(temporaryFolder('plaza-network-'), 'resolv.conf')
  writeFileSync(names, 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n')
  const run = 'mount --bind "$1" /etc/resolv.conf && exec "$2" "$3"'
  const args = [...UNSHARE, 'sh', '-c', run, 'sh', names, process.execPath, SCRIPT]
  const env = childEnv({ TEST_ENGINE: 'sqlite', TEST_LOG: 'silent' })
  const { status, stdout, stderr } = spawnSync('unshare', args, { env, encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
  assert.match(stdout, /pass 4\b/)
})
