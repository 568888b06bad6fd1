/**
 * Writes sdk/src/generated.ts from openapi.json. `--check` writes nothing and fails when the file is out of date.
 * `--build` only builds the package into sdk/dist.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Document, generate } from '../sdk/generate/generate.ts'
import { ROOT, writeOrCheck } from './generated.ts'

if (process.argv.includes('--build')) build()
else writeOrCheck('sdk/src/generated.ts', currentText(), 'npm run sdk')

function currentText(): string {
  const document: Document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'))
  const biome = join(dirname(packageOf('@biomejs/biome')), 'bin/biome')
  return run(biome, ['format', '--stdin-file-path=sdk/src/generated.ts'], generate(document))
}

function build(): void {
  rmSync(join(ROOT, 'sdk/dist'), { recursive: true, force: true })
  const tsc = join(dirname(packageOf('@typescript/native')), 'bin/tsc')
  run(tsc, ['--project', 'sdk/tsconfig.build.json'])
  copyFileSync(join(ROOT, 'LICENSE'), join(ROOT, 'sdk/dist/LICENSE'))
  console.log('sdk/dist: built')
}

function packageOf(name: string): string {
  return createRequire(import.meta.url).resolve(`${name}/package.json`)
}

function run(program: string, args: string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: ROOT,
    input,
    encoding: 'utf8',
  })
  if (status !== 0) {
    console.error(`${stdout}${stderr}`)
    process.exit(1)
  }
  return stdout
}
