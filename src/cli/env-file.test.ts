import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plaza } from '../../test/process.ts'
import { temporaryFolder } from '../../test/files.ts'

const folder = temporaryFolder('plaza-env-file-')
const file = join(folder, 'plaza.env')

test('--env-file preserves special characters, before and after the command', async () => {
  // Each value is used as a folder name, so that the test can compare every character.
  const values = [
    ['a?b=disable&c=true', (text: string) => text],
    ['a$b;c*d~e!f|g<h>(i)', (text: string) => text],
    ['a\\b\\nc%2F"d', (text: string) => text],
    [` a # b $HOME "c" \\ \`d\``, (text: string) => `'${text}'`],
    ["it's # here", (text: string) => `"${text}"`],
  ] as const
  for (const [index, [name, quote]] of values.entries()) {
    const dataDir = `${folder}/${name}`
    writeFileSync(file, `# Settings\nDATA_DIR=${quote(dataDir)}\n`)
    const args =
      index % 2 === 0 ? ['--env-file', file, 'migrate'] : ['migrate', `--env-file=${file}`]
    const { code, out } = await plaza(args, {})
    assert.equal(code, 0, out)
    assert.ok(existsSync(join(dataDir, 'plaza.db')), dataDir)
  }
})

test('environment variables override --env-file, and a missing file stops the command', async () => {
  const [named, given] = [join(folder, 'named'), join(folder, 'given')]
  writeFileSync(file, `DATA_DIR=${named}\n`)
  assert.equal((await plaza(['migrate', '--env-file', file], { DATA_DIR: given })).code, 0)
  assert.deepEqual([existsSync(named), existsSync(given)], [false, true])
  const { code, out } = await plaza(['migrate', '--env-file', `${file}.none`], { DATA_DIR: named })
  assert.notEqual(code, 0)
  assert.match(out, /^.*plaza\.env\.none.*\n$/)
  assert.equal(existsSync(named), false)
})
