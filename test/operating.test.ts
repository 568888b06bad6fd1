/** Runs the README's commands for backup and restore, exactly as printed. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { dropDatabase, newDatabase, testSecrets } from './app.ts'
import { childEnv } from './process.ts'

const root = resolve(import.meta.dirname, '..')

test('backs up a database and restores it elsewhere with the README’s commands', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const section = readme.split(/^## /m).find((text) => text.startsWith('Backups\n')) ?? ''
  const [backup, restore] = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text)
  assert.ok(backup && restore)
  const folder = mkdtempSync(join(tmpdir(), 'plaza-operating-'))
  const urls = [await newDatabase(), await newDatabase()]
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    for (const url of urls) if (url) await dropDatabase(url)
  })
  const use = (url: string | undefined) => (url ? `export DATABASE_URL=${url}` : '')
  const script = [
    // Replaces npm, so that commands run in this test's folder.
    `npm() { shift 3; node '${root}/bin/plaza.mjs' "$@"; }`,
    use(urls[0]),
    'npm run plaza -- demo --people 10 --works 20',
    backup,
    use(urls[1]),
    restore,
  ].join('\n')
  const env = childEnv({ ...testSecrets(), FFMPEG: 'off', LOG_LEVEL: 'warn' })
  env['PATH'] = `${dirname(process.execPath)}${delimiter}${env['PATH']}`
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env,
  })
  assert.match(stdout, /are in \S+\/backups\/monday\.tar, in /)
  assert.match(stdout, /^restored [1-9][\d,]* rows and [1-9][\d,]* files from /m)
  assert.match(stdout, /all is well\n$/)
})
