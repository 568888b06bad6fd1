/**
 * Runs conversion jobs. Each attempt stores its files under a separate name, and one transaction publishes them. All
 * published files are therefore from the same complete attempt.
 */
import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { publishAllConverted, publishConverted } from '../contents/conversion.ts'
import type { Db, Tx } from '../db/handle.ts'
import type { JobRow } from '../db/media-tables.ts'
import type { Finish, JobControl, Worker } from '../jobs/worker.ts'
import type { Staging } from '../storage/staging.ts'
import type { Store } from '../storage/store.ts'
import { deleteRenditions, insertRendition } from '../uploads/queries.ts'
import { setRenditionBytes } from '../uploads/usage.ts'
import { type Conversion, convert, type Part } from './convert.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { findBeneficiary, findSource } from './queries.ts'

export interface ConversionDeps {
  db: Db
  clock: Clock
  log: Logger
  store: Store
  staging: Staging
  worker: Worker
  /** Undefined when FFmpeg is disabled or missing. */
  ffmpeg: Ffmpeg | undefined
}

/** Registers the handler of `settling` jobs, and that of `conversion` jobs when FFmpeg was found. */
export function handleConversions(deps: ConversionDeps): void {
  const { db, ffmpeg, worker, clock } = deps
  worker.handle('settling', ({ subject }, { signal }) =>
    publishAllConverted(db, subject, { now: () => clock.now(), signal }),
  )
  if (!ffmpeg) return
  worker.handle('conversion', (job, control) => run(deps, ffmpeg, job, control), {
    failed: (tx, { subject }) => publishConverted(tx, subject, clock.now()),
    neededBy: (handle, { subject }) => findBeneficiary(handle, subject),
  })
}

async function run(
  deps: ConversionDeps,
  ffmpeg: Ffmpeg,
  { subject: sha256 }: JobRow,
  control: JobControl,
): Promise<Finish> {
  const { db, store, staging, clock } = deps
  const source = await findSource(db, sha256)
  if (!source) throw new Error(`file ${sha256} does not exist`)
  const attempt = `${sha256}/${randomBytes(8).toString('hex')}`
  const made = await staging.withFolder((folder) =>
    store.withLocalFile(source.path, async (localFile) => {
      const input = { localFile, mimeType: source.mime_type }
      const conversion = await convert(ffmpeg, input, { folder, control })
      const sizeBytes = await sizeOf(folder, conversion.parts)
      await putAll(store, attempt, folder, conversion.parts, control)
      return { ...conversion, sizeBytes }
    }),
  )
  return async (tx) => {
    await writeRenditions(tx, sha256, attempt, made)
    const count = () => setRenditionBytes(tx, sha256, made.sizeBytes)
    await publishConverted(tx, sha256, clock.now(), count)
    // Uses the system time instead of the server's clock, because this time is compared with modification
    // times in the store.
    const endedAt = Date.now()
    tx.afterCommit(() => void cleanUp(deps, { sha256, attempt, endedAt }))
  }
}

async function sizeOf(folder: string, parts: readonly Part[]): Promise<number> {
  const files = await Promise.all(parts.map(({ name }) => stat(join(folder, name))))
  return files.reduce((sum, { size }) => sum + size, 0)
}

async function putAll(
  store: Store,
  attempt: string,
  folder: string,
  parts: readonly Part[],
  { signal }: JobControl,
): Promise<void> {
  const put: string[] = []
  try {
    for (const { name, mimeType } of parts) {
      signal.throwIfAborted()
      put.push(`${attempt}/${name}`)
      await store.put(`${attempt}/${name}`, join(folder, name), mimeType)
    }
  } catch (error) {
    await Promise.allSettled(put.map((path) => store.remove(path)))
    throw error
  }
}

/** Replaces the rendition rows of a file. The poster is the first row, and the only row with an image type. */
async function writeRenditions(
  tx: Tx,
  sha256: string,
  attempt: string,
  { poster, renditions }: Conversion,
): Promise<void> {
  await deleteRenditions(tx, sha256)
  for (const [position, made] of [...(poster ? [poster] : []), ...renditions].entries()) {
    await insertRendition(tx, {
      file_sha256: sha256,
      position,
      path: `${attempt}/${made.name}`,
      mime_type: made.mimeType,
      size_bytes: made.sizeBytes,
      width: made.width,
      height: made.height,
    })
  }
}

/**
 * Deletes the files of earlier attempts, which a crash can leave behind. Keeps files stored after the job
 * ended, such as sizes of the poster.
 */
async function cleanUp(
  { store, log }: ConversionDeps,
  { sha256, attempt, endedAt }: { sha256: string; attempt: string; endedAt: number },
): Promise<void> {
  try {
    for await (const { path } of store.list(`${sha256}/`)) {
      if (!path.startsWith(`${attempt}/`)) await store.removeOlder(path, endedAt)
    }
  } catch (error) {
    log.warn({ err: error }, 'conversion cleanup failed: files of old attempts remain')
  }
}
