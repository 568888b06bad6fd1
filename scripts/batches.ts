/**
 * Groups test files into batches that share a process, because loading the server takes longer than most tests. Each
 * file still has separate servers and databases.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const LARGEST = 9

const USES_TEST_SERVER = /(?:\/test|'\.)\/app\.ts'/

/**
 * Matches the text of files that run alone, because they start programs, inspect or change their process, measure
 * time or use much CPU time.
 */
const ALONE =
  /\bprocess\.|globalThis|\bmock\b|child_process|performance\.|\bsharp\b|playwright|(?:\/test|'\.)\/(backups|chromium|command|conversions|filled|process|videos)\.ts'/

export interface Batches {
  files: string[]
  remove(): void
}

export function batchFiles(files: readonly string[]): Batches {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-batches-'))
  const batches: string[][] = []
  const alone: string[] = []
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    if (!USES_TEST_SERVER.test(text) || ALONE.test(text)) {
      alone.push(file)
      continue
    }
    const last = batches.at(-1)
    if (last && last.length < LARGEST) last.push(file)
    else batches.push([file])
  }
  const entries = batches.map((batch, index) => {
    if (batch.length === 1) return batch[0] as string
    const entry = join(folder, `batch-${index + 1}.test.mjs`)
    writeFileSync(entry, textOf(batch))
    return entry
  })
  return {
    files: [...alone, ...entries],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * Returns the code of a module that loads all test files before the first test starts. Otherwise node:test would end
 * the run too early.
 */
function textOf(files: readonly string[]): string {
  const addresses = files.map((file) => pathToFileURL(file).href)
  return `import { before } from 'node:test'
const load = async () => {
  for (const file of ${JSON.stringify(addresses)}) await import(file)
}
const loading = load()
before(() => loading)
await loading
`
}
