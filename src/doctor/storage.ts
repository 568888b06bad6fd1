import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { Db, ScriptRow } from '../db/handle.ts'
import { withSnapshot } from '../db/snapshot.ts'
import { openStore, type StorageSettings } from '../storage/open.ts'
import { type Store, StorageUnavailable } from '../storage/store.ts'

/**
 * SQL for the path and the size in bytes of each file that a row names. The size is null for thumbnails and
 * renditions.
 */
const NAMED = `
  select path, size_bytes from files
  union all select thumbnail_path, null from files where thumbnail_path is not null
  union all select path, null from renditions
  union all select path, size_bytes from picture_sizes
  union all select 'bundles/' || bundle_sha256 || '/' || cast(position as text), size_bytes
    from bundle_files`

/**
 * Matches the path of a file that is named by the SHA-256 of its content. Files in folders, such as
 * renditions, have other names and do not match.
 */
const NAMED_BY_HASH = /^([0-9a-f]{64})\.[^/]+$/

/**
 * Returns messages about files that are missing or have another size than their row says. With `reads`, also
 * verifies the content of files that are named by their hash. Other files have no stored hash.
 */
export async function examineStorage(
  db: Db,
  settings: StorageSettings,
  { reads = false }: { reads?: boolean } = {},
): Promise<string[]> {
  const named = await withSnapshot(db, (run) => run(NAMED))
  // Returns before the store is opened, because opening creates the folder of the store.
  if (named.length === 0) return []
  const { store, staging } = await openStore(settings)
  try {
    const target = `of ${named.length} stored files`
    // Ignores files whose rows a running server has deleted in the meantime.
    const faulty = await listNamed(db, await listFaulty(store, named))
    const changed = reads ? await listChanged(store, named, new Set(faulty)) : []
    const damage = []
    if (faulty.length > 0) {
      damage.push(
        `${faulty.length} ${target} are missing or have another size, such as ${faulty[0]}`,
      )
    }
    if (changed.length > 0) {
      damage.push(
        `${changed.length} ${target} have content that does not match their hash, such as ${changed[0]}`,
      )
    }
    return damage
  } catch (error) {
    if (error instanceof StorageUnavailable) return [error.message]
    throw error
  } finally {
    staging.close()
    await store.close()
  }
}

/** Returns the paths that a row still names. */
async function listNamed(db: Db, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const named = new Set((await withSnapshot(db, (run) => run(NAMED))).map(({ path }) => path))
  return paths.filter((path) => named.has(path))
}

async function listFaulty(store: Store, named: readonly ScriptRow[]): Promise<string[]> {
  const sizes = new Map<string, number>()
  for await (const { path, sizeBytes } of store.list('')) sizes.set(path, sizeBytes)
  const isFaulty = ({ size_bytes }: ScriptRow, found: number | undefined) =>
    found === undefined || (size_bytes !== null && Number(size_bytes) !== found)
  const faulty: string[] = []
  for (const row of named) {
    const path = String(row['path'])
    if (!isFaulty(row, sizes.get(path))) continue
    // Looks up the file again, because it may have been stored after the listing.
    if (isFaulty(row, (await store.find(path))?.sizeBytes)) faulty.push(path)
  }
  return faulty
}

async function listChanged(
  store: Store,
  named: readonly ScriptRow[],
  faulty: ReadonlySet<string>,
): Promise<string[]> {
  const changed: string[] = []
  for (const { path: value } of named) {
    const path = String(value)
    const expected = NAMED_BY_HASH.exec(path)?.[1]
    if (expected === undefined || faulty.has(path)) continue
    const hash = createHash('sha256')
    await pipeline(await store.read(path), hash)
    if (hash.digest('hex') !== expected) changed.push(path)
  }
  return changed
}
