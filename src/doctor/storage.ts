/** Looks whether the store has the files that rows tell of. */
import type { Db, ScriptRow } from '../db/handle.ts'
import { openStore, type StorageSettings } from '../storage/open.ts'
import { type Store, StorageUnavailable } from '../storage/store.ts'
import { begin } from './examine.ts'

/** Every path that a row names, with its size where the row tells it. */
const NAMED = `
  select path, size_bytes from files
  union all select thumbnail_path, null from files where thumbnail_path is not null
  union all select path, null from renditions
  union all select 'bundles/' || bundle_sha256 || '/' || cast(position as text), size_bytes
    from bundle_files`

/** What is wrong, in words; changes nothing. */
export async function examineStorage(db: Db, settings: StorageSettings): Promise<string[]> {
  const named = await listNamed(db)
  // Opening the store would make its folder.
  if (named.length === 0) return []
  const { store, staging } = await openStore(settings)
  try {
    const faulty = await listFaulty(store, named)
    if (faulty.length === 0) return []
    return [
      `${faulty.length} of ${named.length} stored files are missing or have another size, such as ${faulty[0]}`,
    ]
  } catch (error) {
    if (error instanceof StorageUnavailable) return [error.message]
    throw error
  } finally {
    staging.close()
    await store.close()
  }
}

async function listNamed(db: Db): Promise<ScriptRow[]> {
  let rows: ScriptRow[] = []
  await db.script(async (run) => {
    await begin(db.engine, run)
    try {
      rows = await run(NAMED)
    } finally {
      await run('rollback')
    }
  })
  return rows
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
    // It may have come after the list was made.
    if (isFaulty(row, (await store.find(path))?.sizeBytes)) faulty.push(path)
  }
  return faulty
}
