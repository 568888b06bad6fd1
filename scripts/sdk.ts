/**
 * Writes sdk/src/generated.ts from openapi.json. `--check` writes nothing and fails when the file is out of date.
 * `--build` only builds the package into sdk/dist.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { type Document, generate } from '../sdk/generate/generate.ts'

const root = resolve(import.meta.dirname, '..')
const file = join(root, 'sdk/src/generated.ts')

if (process.argv.includes('--build')) {
  build()
} else if (!process.argv.includes('--check')) {
  writeFileSync(file, currentText())
  console.log('sdk/src/generated.ts: written')
} else if (readOrNothing() === currentText()) {
  console.log('sdk/src/generated.ts: up to date')
} else {
  console.error('sdk/src/generated.ts is out of date: run `npm run sdk` and commit it.')
  process.exitCode = 1
}

function currentText(): string {
  const document: Document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
  const biome = join(dirname(packageOf('@biomejs/biome')), 'bin/biome')
  return run(biome, ['format', '--stdin-file-path=sdk/src/generated.ts'], generate(document))
}

function build(): void {
  rmSync(join(root, 'sdk/dist'), { recursive: true, force: true })
  const tsc = join(dirname(packageOf('@typescript/native')), 'bin/tsc')
  run(tsc, ['--project', 'sdk/tsconfig.build.json'])
  copyFileSync(join(root, 'LICENSE'), join(root, 'sdk/dist/LICENSE'))
  console.log('sdk/dist: built')
}

function packageOf(name: string): string {
  return createRequire(import.meta.url).resolve(`${name}/package.json`)
}

function run(program: string, args: string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    input,
    encoding: 'utf8',
  })
  if (status !== 0) {
    console.error(`${stdout}${stderr}`)
    process.exit(1)
  }
  return stdout
}

function readOrNothing(): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
