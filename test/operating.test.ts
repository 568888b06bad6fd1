import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { delimiter, dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { newPlace, type Place, testSecrets } from './app.ts'
import { commandsIn } from './documents.ts'
import { childEnv } from './process.ts'

const root = resolve(import.meta.dirname, '..')

test('fills, backs up and restores a database with the printed commands', async () => {
  const [, demo] = commandsIn('README.md')
  const [account] = commandsIn('docs/commands.md')
  const [settings] = commandsIn('docs/settings.md')
  const [backup] = commandsIn('docs/backups.md', 'Back up')
  const [restore] = commandsIn('docs/backups.md', 'Restore')
  assert.ok(demo && account && settings && backup && restore)
  const [place, target] = [await newPlace(), await newPlace()]
  const folder = place.dataDir
  const use = ({ databaseUrl }: Place) => (databaseUrl ? `export DATABASE_URL=${databaseUrl}` : '')
  const script = [
    // Replaces npm: runs the command in this test's folder with a small demo and a password, and starts no
    // server.
    `npm() {
  if [ "$1" = start ]; then echo "npm $*"; return; fi
  shift 3
  case $1 in
    demo) node '${root}/bin/plaza.mjs' demo --people 10 --works 20;;
    user) echo 'a long password' | node '${root}/bin/plaza.mjs' "$@" --password -;;
    *) node '${root}/bin/plaza.mjs' "$@";;
  esac
}`,
    use(place),
    demo,
    'export DATA_DIR=./data/demo',
    account,
    settings,
    backup,
    use(target),
    restore,
  ].join('\n')
  const env = childEnv({ ...testSecrets(), FFMPEG: 'off', LOG_LEVEL: 'warn' })
  env['PATH'] = `${dirname(process.execPath)}${delimiter}${env['PATH']}`
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env,
  })
  assert.match(stdout, /^npm start\n/m)
  assert.match(
    stdout,
    /^created administrator you \(usr_\w{26}\)\nnpm start -- --env-file plaza\.env$/m,
  )
  assert.match(stdout, /^backed up [1-9][\d,]* rows .* to \S+\/backups\/monday\.tar in /m)
  assert.match(stdout, /^restored [1-9][\d,]* rows and [1-9][\d,]* files from /m)
  assert.match(stdout, /all is well\n$/)
  // `--env-file` must accept the settings file that the documented commands created.
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'bin/plaza.mjs'), '--env-file', join(folder, 'plaza.env'), 'doctor', '--help'],
    { env },
  )
  assert.equal(status, 0)
})
