import type { Logger } from 'pino'
import type { Handle } from '../db/handle.ts'
import type { Store } from '../storage/store.ts'
import { listSample } from './queries.ts'

const SAMPLE = 20

/** Looks up a sample of the database's files in the store. Logs a warning when more than half of them are missing. */
export async function warnOfMissingFiles(
  db: Handle,
  store: Store,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const paths = (await listSample(db, SAMPLE)).map(({ path }) => path)
  const found = await Promise.all(paths.map((path) => store.find(path)))
  const missing = found.filter((file) => file === undefined).length
  if (missing * 2 <= paths.length) return
  log.warn(
    `stored files are missing: ${missing} of ${paths.length} checked; check DATA_DIR and STORAGE_URL, and run plaza doctor to count all`,
  )
}
