import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bundle, type BundleKind, BundleRefused } from '../src/bundles/bundle.ts'
import { inspectBundle } from '../src/bundles/inspect.ts'
import { readModule } from '../src/bundles/wasm.ts'
import { temporaryFolder } from './files.ts'

const staging = temporaryFolder('plaza-bundles-')
let made = 0

interface Inspected extends Bundle {
  content: Map<string, Buffer>
}

/**
 * Inspects a bundle and returns the result with the bytes of its files. Asserts that exactly the files in the result
 * were extracted.
 */
export async function inspect(bytes: Buffer, kind: BundleKind): Promise<Inspected> {
  const { file, folder } = stage(bytes)
  try {
    const bundle = await inspectBundle(file, kind, folder)
    assert.ok(readFileSync(file).equals(bytes))
    const content = new Map(
      bundle.files.map((entry) => [entry.path, readFileSync(entry.localFile)]),
    )
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
 * Returns the error with which a file is rejected. Asserts that no extracted files remain. Also asserts that nothing is
 * extracted before the rejection, except for corrupt content (`invalid.bundle_file`).
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
  throw new assert.AssertionError({ message: 'the file was accepted' })
}

export async function assertRefused(bytes: Buffer, kind: BundleKind, why: string): Promise<void> {
  const { key } = await refusal(bytes, kind)
  assert.equal(key, `invalid.bundle_${why}`)
}

export function isAccepted(bytes: Buffer): boolean {
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
