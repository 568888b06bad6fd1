import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Budget } from '../budget.ts'
import type { Bundle, BundleKind } from './bundle.ts'
import { inspectSwf } from './swf.ts'
import { inspectWasm } from './wasm.ts'
import { inspectZip } from './zip.ts'

/** So many at once: bounds the disk that unpacking takes, and the memory that modules take. */
const ROOM: Record<BundleKind, Budget> = {
  zip: new Budget(4),
  wasm: new Budget(2),
  swf: new Budget(4),
}
const INSPECTORS = { zip: inspectZip, wasm: inspectWasm, swf: inspectSwf }

/**
 * Reads the game file at `localFile`, which stays as it is, and writes the files it consists of
 * into `folder`: an empty one, in the staging folder, which the caller removes once the bundle is
 * stored. After a failure it is empty again. Nothing of the game is run. `onSize` gets the bytes that an
 * archive has unpacked before any is, and stops it by throwing.
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
  return ROOM[kind].spend(1, async () => {
    try {
      return await INSPECTORS[kind](localFile, folder, onSize)
    } catch (error) {
      await empty(folder)
      throw error
    }
  })
}

async function empty(folder: string): Promise<void> {
  // Why it failed is worth more than why this does; the caller removes the folder in any case.
  const names = await readdir(folder).catch(() => [])
  for (const name of names) await rm(join(folder, name), { force: true }).catch(() => {})
}
