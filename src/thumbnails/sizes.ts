/** Makes smaller versions of pictures, so that lists and small screens do not load large ones. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import {
  listContentsWithoutSizes,
  listSizeSources,
  showSizes,
  type SizeSource,
  toSizesJob,
} from '../contents/sizes.ts'
import type { Db, Handle, Tx } from '../db/handle.ts'
import { isId } from '../db/ids.ts'
import type { JobRow, PictureSizeRow } from '../db/media-tables.ts'
import { currentMeter } from '../jobs/meter.ts'
import { deleteJobOf, enqueue } from '../jobs/rules.ts'
import type { Finish, JobControl, Worker } from '../jobs/worker.ts'
import { PictureRefused } from '../pictures/refused.ts'
import { writeSizes } from '../pictures/sizes.ts'
import type { Staging } from '../storage/staging.ts'
import type { Store } from '../storage/store.ts'
import { findFile } from '../uploads/queries.ts'
import { urlOf } from '../uploads/schema.ts'
import {
  insertSizes,
  listMissingWidths,
  listSizes,
  toStoredSizes,
  widthsOf,
} from '../uploads/sizes.ts'
import { findAvatarUser, listWithoutSizes, updateAvatarSizes } from '../users/avatars.ts'
import { findBeneficiary, findPictured } from './queries.ts'

export interface SizesDeps {
  db: Db
  store: Store
  staging: Staging
  worker: Worker
}

/**
 * Registers the handler of `sizes` jobs. The subject of a job is the id of a content item, or the hash of an avatar
 * file.
 */
export function handleSizes(deps: SizesDeps): void {
  deps.worker.handle('sizes', (job, control) => run(deps, job, control), {
    failed: async (tx, { subject }) => (await findTarget(tx, subject)).show(tx),
    neededBy: (db, { subject }) =>
      isContent(subject) ? findBeneficiary(db, subject) : findAvatarUser(db, subject),
  })
}

const BATCH = 500

/**
 * Queues jobs for avatars and content without smaller versions of their pictures, such as content with a generated
 * thumbnail or from before the server made smaller versions. Each call queues a limited number, so that jobs of new
 * pictures do not wait long.
 */
export async function queueMissingSizes(db: Db, now: number): Promise<void> {
  const jobs = [
    ...(await listWithoutSizes(db, BATCH)).map(({ id, sha256 }) => {
      return { kind: 'sizes', subject: sha256, ownerId: id } as const
    }),
    ...(await listContentsWithoutSizes(db, BATCH)).map(toSizesJob),
  ]
  for (const job of jobs) await db.transaction((tx) => enqueue(tx, job, now))
}

async function run(deps: SizesDeps, { subject }: JobRow, control: JobControl): Promise<Finish> {
  const { sources, show } = await findTarget(deps.db, subject)
  const files = [...Map.groupBy(sources, ({ sha256 }) => sha256).values()]
  for (const [index, [file, ...same]] of files.entries()) {
    if (!file) continue
    const widths = widthsOf([file, ...same].map(({ use }) => use))
    await makeSizes(deps, file, widths, control)
    control.progress((index + 1) / files.length)
  }
  return async (tx) => {
    await show(tx)
    await deleteJobOf(tx, 'sizes', subject)
  }
}

const isContent = (subject: string) => isId('cnt', subject)

interface Target {
  sources: SizeSource[]
  /** Stores the lists of existing sizes in the row of the content item, or in the rows of all users with the avatar. */
  show: (tx: Tx) => Promise<void>
}

async function findTarget(db: Handle, subject: string): Promise<Target> {
  if (!isContent(subject)) return findAvatar(db, subject)
  // Reads the thumbnail's URL before the sources. If the thumbnail changes in between, `showSizes` does not update
  // `thumbnail_sizes`.
  const url = (await findPictured(db, subject))?.thumbnail_url ?? null
  const sources = await listSizeSources(db, subject)
  return { sources, show: (tx) => showSizes(tx, subject, url) }
}

async function findAvatar(db: Handle, sha256: string): Promise<Target> {
  const { path, mime_type, thumbnail_path } = (await findFile(db, sha256)) ?? {}
  if (!path || !mime_type || !thumbnail_path) return { sources: [], show: async () => {} }
  const folder = thumbnail_path.slice(0, 64)
  return {
    sources: [{ sha256, path, mime_type, folder, use: 'avatar' }],
    show: async (tx) => {
      const stored = JSON.stringify(toStoredSizes(await listSizes(tx, [sha256], 'avatar')))
      await updateAvatarSizes(tx, { sha256, url: urlOf(thumbnail_path) }, stored)
    },
  }
}

/**
 * Makes the missing sizes of a picture, and stores their files and rows. Makes none for an invalid picture or an
 * animation.
 */
async function makeSizes(
  { db, store, staging }: SizesDeps,
  { sha256, path, mime_type, folder: name, use }: SizeSource,
  widths: readonly number[],
  { signal }: JobControl,
): Promise<void> {
  signal.throwIfAborted()
  const missing = await listMissingWidths(db, sha256, widths)
  if (missing.length === 0) return
  const choices = { widths: missing, hasAvif: use === 'avatar' }
  const made = await staging.withFolder(async (folder) => {
    const started = performance.now()
    const written = await store.withLocalFile(path, (localFile) =>
      writeSizes(localFile, mime_type, folder, choices).catch((error: unknown) => {
        if (error instanceof PictureRefused) return []
        throw error
      }),
    )
    currentMeter.getStore()?.add(performance.now() - started)
    // A random name, because the files of parallel attempts can differ.
    const attempt = `${name}/${randomBytes(8).toString('hex')}`
    const rows: PictureSizeRow[] = []
    for (const { name: file, ...size } of written) {
      signal.throwIfAborted()
      const target = `${attempt}/${file}`
      await store.put(target, join(folder, file), size.mime_type)
      rows.push({ ...size, file_sha256: sha256, path: target })
    }
    return rows
  })
  await db.transaction((tx) => insertSizes(tx, sha256, made))
}
