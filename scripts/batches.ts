/**
 * Which test files share a process. To load the server costs more than what most files do with it, so
 * the quick ones are loaded into one process, some at a time, and their tests run one after the other
 * once all are loaded. Each has the servers and databases that it starts, as alone.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const LARGEST = 9

/** Only what stands on the bench of servers is that alike. */
const ON_THE_BENCH = /(?:\/test|'\.)\/app\.ts'/

/**
 * What starts programs, looks at its process or changes something in it, or measures time stays alone,
 * as does what keeps processors busy for long.
 */
const ALONE =
  /\bprocess\.|globalThis|\bmock\b|child_process|performance\.|\bsharp\b|playwright|(?:\/test|'\.)\/(backups|chromium|command|conversions|filled|process|videos)\.ts'/

export interface Batches {
  /** Files to run, each in a process of its own: batches and what is in none. */
  files: string[]
  /** Removes what was written. */
  remove(): void
}

export function batchFiles(files: readonly string[]): Batches {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-batches-'))
  const batches: string[][] = []
  const alone: string[] = []
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    if (!ON_THE_BENCH.test(text) || ALONE.test(text)) {
      alone.push(file)
      continue
    }
    const last = batches.at(-1)
    if (last && last.length < LARGEST) last.push(file)
    else batches.push([file])
  }
  const entries = batches.map((batch, at) => {
    if (batch.length === 1) return batch[0] as string
    const entry = join(folder, `batch-${at + 1}.test.mjs`)
    writeFileSync(entry, textOf(batch))
    return entry
  })
  return {
    files: [...alone, ...entries],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** No test begins, and so none ends, while there are files to load: node:test takes that for the end. */
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
