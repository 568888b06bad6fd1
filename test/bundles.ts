/** Inspects game files as POST /uploads does, in a staging folder of the test's own. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Bundle, type BundleKind, BundleRefused } from '../src/bundles/bundle.ts'
import { inspectBundle } from '../src/bundles/inspect.ts'
import { readModule } from '../src/bundles/wasm.ts'

const staging = mkdtempSync(join(tmpdir(), 'plaza-bundles-'))
after(() => rmSync(staging, { recursive: true }))
let made = 0

interface Inspected extends Bundle {
  /** What was written, by path. */
  content: Map<string, Buffer>
}

/** What a file is found to be; asserts that what was written is what it says, and nothing else. */
export async function inspect(bytes: Buffer, kind: BundleKind): Promise<Inspected> {
  const { file, folder } = stage(bytes)
  try {
    const bundle = await inspectBundle(file, kind, folder)
    assert.ok(readFileSync(file).equals(bytes))
    const content = new Map(bundle.files.map((one) => [one.path, readFileSync(one.localFile)]))
    for (const [position, { path, sizeBytes, localFile }] of bundle.files.entries()) {
      assert.equal(localFile, join(folder, String(position)))
      assert.equal(content.get(path)?.length, sizeBytes)
    }
    assert.equal(readdirSync(folder).length, bundle.files.length)
    return { ...bundle, content }
  } finally {
    rmSync(folder, { recursive: true })
    rmSync(file)
  }
}

/**
 * Why a file is refused; asserts that the staging folder is as before, and that nothing was ever
 * written unless it was for a file that proves not to be what it says.
 */
export async function refusal(bytes: Buffer, kind: BundleKind): Promise<BundleRefused> {
  const { file, folder } = stage(bytes)
  const before = readdirSync(staging, { recursive: true })
  try {
    await inspectBundle(file, kind, folder)
  } catch (error) {
    if (!(error instanceof BundleRefused)) throw error
    assert.deepEqual(readdirSync(staging, { recursive: true }), before)
    assert.ok(readFileSync(file).equals(bytes))
    if (error.key !== 'invalid.bundle_file') {
      const nowhere = join(folder, 'missing')
      await assert.rejects(inspectBundle(file, kind, nowhere), { key: error.key })
    }
    return error
  } finally {
    rmSync(folder, { recursive: true })
    rmSync(file)
  }
  throw new assert.AssertionError({ message: 'it was taken' })
}

/** Asserts that a file is refused for this reason: the end of a message's key. */
export async function assertRefused(bytes: Buffer, kind: BundleKind, why: string): Promise<void> {
  const { key } = await refusal(bytes, kind)
  assert.equal(key, `invalid.bundle_${why}`)
}

/** Whether a WebAssembly module keeps to the contract. */
export function isTaken(bytes: Buffer): boolean {
  try {
    readModule(bytes)
    return true
  } catch (error) {
    if (error instanceof BundleRefused) return false
    throw error
  }
}

function stage(bytes: Buffer): { file: string; folder: string } {
  const file = join(staging, `${++made}.in`)
  const folder = join(staging, `${made}.out`)
  writeFileSync(file, bytes)
  mkdirSync(folder)
  return { file, folder }
}
