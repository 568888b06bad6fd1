/**
 * Writes openapi.json from the routes. With `--check` it writes nothing and fails when the file is out of
 * date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { currentDocument } from '../src/current-routes.ts'

const file = resolve(import.meta.dirname, '../openapi.json')
const text = currentDocument()

if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
  console.log('openapi.json: written')
} else if (readOrNothing() === text) {
  console.log('openapi.json: up to date')
} else {
  console.error('openapi.json is out of date: run `npm run openapi` and commit it.')
  process.exitCode = 1
}

function readOrNothing(): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
