import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Semaphore } from '../semaphore.ts'
import type { Bundle, BundleKind, OnUnpack } from './bundle.ts'
import { inspectSwf } from './swf.ts'
import { inspectWasm } from './wasm.ts'
import { inspectZip } from './zip.ts'

/** Limits simultaneous inspections per kind, and so the disk space and memory that they use. */
const SEMAPHORES: Record<BundleKind, Semaphore> = {
  zip: new Semaphore(4),
  wasm: new Semaphore(2),
  swf: new Semaphore(4),
}
const INSPECTORS = { zip: inspectZip, wasm: inspectWasm, swf: inspectSwf }

/**
 * Inspects the game file at `localFile` without running it, and writes the bundle's files into the empty `folder`.
 * Calls `onUnpack` before unpacking an archive. After a failure, removes the files from `folder`.
 * Errors: BundleRefused, StorageFull.
 */
export function inspectBundle(
  localFile: string,
  kind: BundleKind,
  folder: string,
  onUnpack: OnUnpack = () => {},
): Promise<Bundle> {
  return SEMAPHORES[kind].run(1, async () => {
    try {
      return await INSPECTORS[kind](localFile, folder, onUnpack)
    } catch (error) {
      await empty(folder)
      throw error
    }
  })
}

async function empty(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) await rm(join(folder, name), { force: true }).catch(() => {})
}
