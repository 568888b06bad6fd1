/** Writes openapi.json from the routes: `npm run openapi`; with `-- --check` only tells whether it is stale. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { currentDocument } from '../src/openapi/current.ts'

const file = resolve(import.meta.dirname, '../openapi.json')
const text = currentDocument()

if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
  console.log('openapi.json is written.')
} else if (readOrNothing() === text) {
  console.log('openapi.json is what the routes say.')
} else {
  console.error('openapi.json is stale: run `npm run openapi` and commit it.')
  process.exitCode = 1
}

function readOrNothing(): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
