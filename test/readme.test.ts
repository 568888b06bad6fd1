/** Checks that the documents match the code: compares their tables and runs their commands. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { SETTINGS } from '../src/config.ts'
import { ERRORS } from '../src/errors.ts'
import { en } from '../src/messages/en.ts'
import { dropDatabase, ENGINE, newDatabase, testSecrets } from './app.ts'
import { childEnv, serve } from './process.ts'

const root = resolve(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
const guide = readFileSync(join(root, 'docs/api.md'), 'utf8')

/** Returns the text below a second-level heading. */
function sectionOf(document: string, heading: string): string {
  const [, ...sections] = document.split(/^## /m)
  const found = sections.find((text) => text.startsWith(`${heading}\n`))
  assert.ok(found, `section not found: ${heading}`)
  return found
}

/** Returns the rows of a section's tables without the header rows. */
function rowsOf(section: string): string[][] {
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(' | '))
}

test('lists every setting with its default and meaning in the README', () => {
  const listed = rowsOf(sectionOf(readme, 'Settings'))
  const settings = Object.entries(SETTINGS).map(([name, { defaultText, meaning }]) => [
    `\`${name}\``,
    defaultText,
    meaning,
  ])
  assert.deepEqual(listed.toSorted(), settings.toSorted())
})

test('names every folder of src in ARCHITECTURE.md', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `\`${name}\``)
  const listed = rowsOf(sectionOf(architecture, 'Folders')).map(([name]) => name)
  assert.deepEqual(listed, folders.toSorted())
})

test('lists every error code with its status and text in the API guide', () => {
  const listed = rowsOf(sectionOf(guide, 'Error codes'))
  const errors = Object.entries(ERRORS).map(([code, status]) => [
    `\`${code}\``,
    String(status),
    en[`error.${code as keyof typeof ERRORS}`],
  ])
  assert.deepEqual(listed.toSorted(), errors.toSorted())
})

interface Step {
  commands: string
  /** Response or output shown below the commands. */
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

/** Asserts that the real value contains everything shown. `…` stands for any text. */
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

test('prints what the README shows at the first start and in the guided tour', {
  skip: !curl && 'curl is not installed',
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'plaza-readme-'))
  const databaseUrl = await newDatabase()
  const settings = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    CAPTCHA_COST: '10',
    ...(databaseUrl && { DATABASE_URL: databaseUrl, ...testSecrets() }),
  }
  const server = await serve(settings)
  after(async () => {
    server.child.kill('SIGTERM')
    await server.ended
    rmSync(dataDir, { recursive: true, force: true })
    if (databaseUrl) await dropDatabase(databaseUrl)
  })

  const steps = stepsOf(sectionOf(readme, 'A guided tour'))
  const script = steps.map(({ commands }) => `${commands}echo '@@ done'\n`).join('')
  const env = childEnv({ ...settings, PLAZA: server.url })
  env['PATH'] = `${dirname(process.execPath)}${delimiter}${env['PATH']}`
  const args = ['-euo', 'pipefail', '-c', script]
  const { stdout } = await promisify(execFile)('bash', args, { cwd: root, env })
  const outputs = stdout.split('@@ done\n')
  assert.equal(outputs.length, steps.length + 1, stdout)

  let answers = 0
  for (const [at, { commands, shown }] of steps.entries()) {
    const lines = (outputs[at] as string).split('\n')
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
    const start = stepsOf(sectionOf(readme, 'Start it')).at(-1)?.shown?.text ?? ''
    const printed = start
      .replaceAll('http://127.0.0.1:3000', server.url)
      .replace(/data in .*/, `data in ${dataDir}`)
    assert.ok(server.out().includes(printed), server.out())
  }
})
