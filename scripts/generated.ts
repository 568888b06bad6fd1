import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '..')

/** Writes a generated file. With `--check` it writes nothing and fails when the file is out of date. */
export function writeOrCheck(file: string, text: string, command: string): void {
  const path = resolve(ROOT, file)
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text)
    console.log(`${file}: written`)
  } else if (existsSync(path) && readFileSync(path, 'utf8') === text) {
    console.log(`${file}: up to date`)
  } else {
    console.error(`${file} is out of date: run \`${command}\` and commit it.`)
    process.exitCode = 1
  }
}
