import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listMistypedSettings } from './config-typos.ts'

test('recognises mistyped settings and ignores variables of other programs', () => {
  const suggestionFor = (name: string) => listMistypedSettings([name])[0]?.suggestion
  for (const [name, setting] of [
    ['DATBASE_URL', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['PUBLIC_ULR', 'PUBLIC_URL'],
    ['TOKEN_SECRETS', 'TOKEN_SECRET'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['PLAZA_DATA_DIR', 'DATA_DIR'],
    ['PROT', 'PORT'],
    ['data_dir', 'DATA_DIR'],
  ]) {
    assert.equal(suggestionFor(name as string), setting)
  }
  const others =
    'PATH HOME USER HOSTNAME PWD TERM LANG SHELL SHLVL PS1 TZ TMPDIR PGHOST PGPORT CHROME_BIN'
  assert.deepEqual(listMistypedSettings(others.split(' ')), [])
  assert.deepEqual(listMistypedSettings(['DATABASE_URL', 'PORT', 'WEB']), [])
})
