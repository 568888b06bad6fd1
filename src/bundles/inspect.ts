import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Semaphore } from '../semaphore.ts'
import type { Bundle, BundleKind } from './bundle.ts'
import { inspectSwf } from './swf.ts'
import { inspectWasm } from './wasm.ts'
import { inspectZip } from './zip.ts'

/** Limits concurrent inspections, to bound disk space for unpacking and memory for modules. */
const ROOM: Record<BundleKind, Semaphore> = {
  zip: new Semaphore(4),
  wasm: new Semaphore(2),
  swf: new Semaphore(4),
}
const INSPECTORS = { zip: inspectZip, wasm: inspectWasm, swf: inspectSwf }

/**
 * Inspects the game file at `localFile`, which stays unchanged, and writes its files into `folder`. The
 * folder must be empty and in the staging folder. The caller deletes it once the bundle is stored. After a
 * failure it is empty again. No code of the game is run. For archives, `onSize` receives the total unpacked
 * size before unpacking and can stop it by throwing.
 *
 *     const bundle = await inspectBundle(localFile, 'zip', folder)
 *     await storeBundle(store, sha256, bundle)
 *     await db.transaction((tx) => insertBundle(tx, sha256, bundle))
 *
 * Errors: BundleRefused, StorageFull.
 */
export function inspectBundle(
  localFile: string,
  kind: BundleKind,
  folder: string,
  onSize: (unpackedBytes: number) => void = () => {},
): Promise<Bundle> {
  return ROOM[kind].run(1, async () => {
    try {
      return await INSPECTORS[kind](localFile, folder, onSize)
    } catch (error) {
      await empty(folder)
      throw error
    }
  })
}

async function empty(folder: string): Promise<void> {
  // Errors here must not hide the original error. The caller deletes the folder anyway.
  const names = await readdir(folder).catch(() => [])
  for (const name of names) await rm(join(folder, name), { force: true }).catch(() => {})
}
