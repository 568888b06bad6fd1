import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, globSync, readdirSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ERRORS } from '../src/errors.ts'
import { en } from '../src/messages/en.ts'
import { parseStorageUrl } from '../src/storage/s3-url.ts'
import { VERSION } from '../src/package.ts'
import { ENGINE, newPlace, settingsOf } from './app.ts'
import { commandsIn, readDocument, sectionOf } from './documents.ts'
import { childEnv, serve } from './process.ts'

const root = resolve(import.meta.dirname, '..')
const readme = readDocument('README.md')

function rowsOf(section: string): string[][] {
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(' | '))
}

test('keeps the tables of settings up to date', () => {
  const script = join(root, 'scripts/settings.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'])
  assert.equal(status, 0, stderr.toString())
})

test('lists every command with its options', () => {
  const { stdout } = spawnSync(process.execPath, [join(root, 'bin/plaza.mjs'), '--help'])
  const usages = [...stdout.toString().matchAll(/^ {2}(?! |--)(.+)$/gm)].map(([, usage]) => usage)
  assert.ok(usages.length > 10)
  const listed = [...readDocument('docs/commands.md').matchAll(/^\| `(.+?)` \| /gm)]
  assert.deepEqual(
    listed.map(([, usage = '']) => usage.replaceAll('\\|', '|')),
    usages,
  )
})

test('mentions every folder of src in ARCHITECTURE.md', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `\`${name}\``)
  const listed = rowsOf(sectionOf(readDocument('ARCHITECTURE.md'), 'Folders')).map(([name]) => name)
  assert.deepEqual(listed, folders.toSorted())
})

test('lists every error code with its status and text in the API guide', () => {
  const listed = rowsOf(sectionOf(readDocument('docs/api.md'), 'Error codes'))
  const errors = Object.entries(ERRORS).map(([code, status]) => [
    `\`${code}\``,
    String(status),
    en[`error.${code as keyof typeof ERRORS}`],
  ])
  assert.deepEqual(listed.toSorted(), errors.toSorted())
})

/** Number of command blocks in each document, and the scripts and tests that run them. */
const RUN: Record<string, { blocks: number; by: string[] }> = {
  'README.md': { blocks: 2, by: ['scripts/smoke.ts', 'test/operating.test.ts'] },
  'docs/api.md': { blocks: 1, by: ['test/readme.test.ts'] },
  'docs/backups.md': { blocks: 3, by: ['test/operating.test.ts', 'test/production.test.ts'] },
  'docs/commands.md': { blocks: 1, by: ['test/operating.test.ts'] },
  'docs/postgresql.md': { blocks: 5, by: ['test/growing.test.ts'] },
  'docs/production.md': { blocks: 8, by: ['test/production.test.ts', 'src/cli/cli.test.ts'] },
  'docs/scaling.md': { blocks: 5, by: ['test/production.test.ts', 'lab/failover/run.ts'] },
  'docs/sdk.md': { blocks: 1, by: ['sdk/test/package.test.ts'] },
  'docs/settings.md': { blocks: 1, by: ['test/operating.test.ts'] },
  'docs/storage.md': { blocks: 1, by: ['test/readme.test.ts'] },
  'docs/tour.md': { blocks: 9, by: ['test/readme.test.ts'] },
  'docs/troubleshooting.md': { blocks: 2, by: ['test/readme.test.ts'] },
  'docs/upgrades.md': { blocks: 3, by: ['test/production.test.ts', 'test/growing.test.ts'] },
  // No test runs this block, because npx would download a compiler.
  'docs/wasm-games.md': { blocks: 1, by: [] },
}

const documents = globSync('{*.md,docs/**/*.md,lab/README.md,sdk/README.md}', { cwd: root })

test('lists the test of each command block in README and docs', () => {
  const counts = documents
    .filter((file) => file === 'README.md' || file.startsWith('docs/'))
    .map((file) => [file, commandsIn(file).length] as const)
    .filter(([, count]) => count > 0)
  const expected = Object.entries(RUN).map(([file, { blocks }]) => [file, blocks])
  assert.deepEqual(Object.fromEntries(counts), Object.fromEntries(expected))
  for (const { by } of Object.values(RUN)) {
    for (const file of by) assert.ok(existsSync(join(root, file)), file)
  }
})

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s가-힣-]/g, '')
    .replaceAll(' ', '-')

test('finds the file and heading of every link between documents', () => {
  for (const file of documents) {
    const text = readDocument(file).replaceAll(/^```.*?^```$/gms, '')
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const found = path === '' ? file : join(dirname(file), path)
      assert.ok(existsSync(join(root, found)), `${file}: ${target}`)
      if (anchor === undefined) continue
      const headings = [...readDocument(found).matchAll(/^#+ (.+)$/gm)]
      const anchors = headings.map(([, heading = '']) => anchorOf(heading))
      assert.ok(anchors.includes(anchor), `${file}: ${target}`)
    }
  }
})

test('keeps the README within 120 lines', () => {
  assert.ok(readme.trimEnd().split('\n').length <= 120)
})

test('quotes the error texts of the code in troubleshooting', () => {
  const section = sectionOf(readDocument('docs/troubleshooting.md'), 'The server does not start')
  const quoted = [...section.matchAll(/^\| `([^`]+)` \| /gm)].map(([, text]) => text as string)
  const code = globSync('src/**/*.ts', { cwd: root }).map(readDocument)
  assert.ok(quoted.length > 3)
  for (const text of quoted.filter((each) => each !== 'EADDRINUSE')) {
    assert.ok(
      code.some((source) => source.includes(text)),
      text,
    )
  }
})

test('accepts the STORAGE_URL that docs/storage.md shows', () => {
  const [block = ''] = commandsIn('docs/storage.md')
  const url = /'(.+)'/.exec(block)?.[1]?.replaceAll(/[[\]]/g, '').toLowerCase() ?? ''
  assert.ok(parseStorageUrl(url.replace(':port', ':9000')))
})

test('finds a request and lists server errors with the jq commands', {
  skip: spawnSync('jq', ['--version']).status !== 0 && 'jq is not installed',
}, () => {
  const block = commandsIn('docs/troubleshooting.md').at(-1) ?? ''
  const id = /req_[\w-]+/.exec(block)?.[0]
  const line = { time: '2026-11-21T09:12:40.518Z', status: 500, method: 'GET', path: '/x' }
  const log = ['not JSON', JSON.stringify({ ...line, request_id: id })].join('\n')
  const script = `journalctl() { echo '${log}'; }\n${block}`
  const { stdout } = spawnSync('bash', ['-euo', 'pipefail', '-c', script])
  const [found = '', listed] = stdout.toString().split('\n')
  assert.equal(JSON.parse(found).request_id, id)
  assert.equal(listed, `${line.time} 500 GET /x ${id}`)
})

interface Step {
  commands: string
  shown?: { kind: 'json' | 'text'; text: string }
}

function stepsOf(section: string): Step[] {
  const steps: Step[] = []
  for (const [, kind, text = ''] of section.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    const step = steps.at(-1)
    if (kind === 'sh') steps.push({ commands: text })
    else if (step && (kind === 'json' || kind === 'text')) step.shown = { kind, text }
  }
  return steps
}

/** Asserts that a real value contains the documented one. In `shown`, `…` stands for any text. */
function assertShown(shown: unknown, real: unknown, where: string): void {
  if (typeof shown === 'string') {
    assert.equal(typeof real, 'string', where)
    const [start = '', end = ''] = shown.split('…')
    const same = shown.includes('…')
      ? String(real).startsWith(start) && String(real).endsWith(end)
      : real === shown
    assert.ok(same, `${where} is ${String(real)}, shown is ${shown}`)
  } else if (typeof shown === 'object' && shown !== null) {
    for (const [key, value] of Object.entries(shown)) {
      assertShown(value, (real as Record<string, unknown>)?.[key], `${where}.${key}`)
    }
  } else {
    assert.equal(real, shown, where)
  }
}

const curl = spawnSync('curl', ['--version']).status === 0

test('prints the README’s output at the first start and runs the tour as printed', {
  skip: !curl && 'curl is not installed',
}, async () => {
  const place = await newPlace(() => {
    server.child.kill('SIGTERM')
    return server.ended
  })
  const settings = { LOG_LEVEL: 'warn', CAPTCHA_COST: '10', ...settingsOf(place) }
  const server = await serve(settings)

  const checks = commandsIn('docs/troubleshooting.md')[0] ?? ''
  const upload = commandsIn('docs/api.md')[0] ?? ''
  const steps = [
    ...stepsOf(readDocument('docs/tour.md')),
    { commands: checks.replace('http://127.0.0.1:3000', server.url) },
    { commands: upload.replace('$TOKEN', '$MINA').replace('film.mp4', 'docs/pictures/work.webp') },
  ]
  const script = steps.map(({ commands }) => `${commands}echo '@@ done'\n`).join('')
  const env = childEnv({ ...settings, PLAZA: server.url })
  env['PATH'] = `${dirname(process.execPath)}${delimiter}${env['PATH']}`
  const args = ['-euo', 'pipefail', '-c', script]
  const { stdout } = await promisify(execFile)('bash', args, { cwd: root, env })
  const outputs = stdout.split('@@ done\n')
  assert.equal(outputs.length, steps.length + 1, stdout)

  let answers = 0
  for (const [index, { commands, shown }] of steps.entries()) {
    const lines = (outputs[index] as string).split('\n')
    for (const line of lines.filter((text) => text.startsWith('{'))) {
      assert.equal(JSON.parse(line).success, true, `${commands}${line}`)
      answers++
    }
    if (shown?.kind === 'json') {
      assertShown(JSON.parse(shown.text), JSON.parse(lines.at(-2) ?? ''), commands)
    } else if (shown) {
      const [start = '', end = ''] = shown.text.trim().split('…')
      assert.ok(
        lines.some((line) => line.startsWith(start) && line.endsWith(end)),
        `${commands}${lines.join('\n')}`,
      )
    }
  }
  assert.ok(answers >= 7)

  if (ENGINE === 'sqlite') {
    const start = stepsOf(sectionOf(readme, 'Try it')).find(({ shown }) => shown)?.shown?.text ?? ''
    const printed = start
      .replace(/^Plaza \S+/, `Plaza ${VERSION}`)
      .replaceAll('http://127.0.0.1:3000', server.url)
      .replace(/data in .*/, `data in ${place.dataDir}`)
      .replace(/setup code: \S+,/, /setup code: \S+,/.exec(server.out())?.[0] ?? '')
    assert.ok(server.out().includes(printed), server.out())
  }
})
