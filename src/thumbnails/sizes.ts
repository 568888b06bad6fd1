/** Makes smaller versions of avatars, so that lists do not load large pictures. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Db, Tx } from '../db/handle.ts'
import type { FileRow, JobRow, PictureSizeRow } from '../db/media-tables.ts'
import { deleteJobOf, enqueue } from '../jobs/rules.ts'
import type { Finish, JobControl, Worker } from '../jobs/worker.ts'
import { PictureRefused } from '../pictures/refused.ts'
import { writeSizes } from '../pictures/sizes.ts'
import type { Staging } from '../storage/staging.ts'
import type { Store } from '../storage/store.ts'
import { findFile } from '../uploads/queries.ts'
import { urlOf } from '../uploads/schema.ts'
import { insertSizes, listSizes, toStoredSizes } from '../uploads/sizes.ts'
import {
  AVATAR_WIDTHS,
  findAvatarUser,
  listWithoutSizes,
  updateAvatarSizes,
} from '../users/avatars.ts'

export interface SizesDeps {
  db: Db
  store: Store
  staging: Staging
  worker: Worker
}

export function handleSizes(deps: SizesDeps): void {
  deps.worker.handle('sizes', (job, control) => run(deps, job, control), {
    failed: (tx, { subject }) => showSizes(tx, subject),
    neededBy: (db, { subject }) => findAvatarUser(db, subject),
  })
}

const BATCH = 500

/**
 * Queues jobs for avatars that were chosen before the server made sizes. Each call queues a limited number, so that
 * new avatars do not wait long.
 */
export async function queueMissingSizes(db: Db, now: number): Promise<void> {
  for (const { id, sha256 } of await listWithoutSizes(db, BATCH)) {
    const job = { kind: 'sizes', subject: sha256, ownerId: id } as const
    await db.transaction((tx) => enqueue(tx, job, now))
  }
}

async function run(
  deps: SizesDeps,
  { subject: sha256 }: JobRow,
  control: JobControl,
): Promise<Finish> {
  const file = await findFile(deps.db, sha256)
  const thumbnail = file?.thumbnail_path ?? null
  const made = file && thumbnail !== null ? await makeSizes(deps, file, thumbnail, control) : []
  return async (tx) => {
    await insertSizes(tx, sha256, made)
    await showSizes(tx, sha256)
    await deleteJobOf(tx, 'sizes', sha256)
  }
}

/** Stores the list of a picture's sizes with all uploaders of the picture whose avatar it is. */
async function showSizes(tx: Tx, sha256: string): Promise<void> {
  const file = await findFile(tx, sha256)
  if (!file?.thumbnail_path) return
  const stored = toStoredSizes(await listSizes(tx, sha256))
  await updateAvatarSizes(tx, { sha256, url: urlOf(file.thumbnail_path) }, stored)
}

/**
 * Stores the files of the sizes that a picture lacks, and returns their rows: none for an invalid picture. The files
 * are in the folder of the thumbnail, so that their URLs do not reveal the hash of the original.
 */
async function makeSizes(
  { db, store, staging }: SizesDeps,
  { sha256, path, mime_type }: FileRow,
  thumbnail: string,
  { signal }: JobControl,
): Promise<PictureSizeRow[]> {
  const known = new Set((await listSizes(db, sha256)).map(({ width }) => width))
  const widths = AVATAR_WIDTHS.filter((width) => !known.has(width))
  const attempt = `${thumbnail.slice(0, 64)}/${randomBytes(8).toString('hex')}`
  return staging.withFolder(async (folder) => {
    const written = await store.withLocalFile(path, (localFile) =>
      writeSizes(localFile, mime_type, folder, widths).catch((error: unknown) => {
        if (error instanceof PictureRefused) return []
        throw error
      }),
    )
    const made: PictureSizeRow[] = []
    for (const { name, ...size } of written) {
      signal.throwIfAborted()
      const target = `${attempt}/${name}`
      await store.put(target, join(folder, name), size.mime_type)
      made.push({ ...size, file_sha256: sha256, path: target })
    }
    return made
  })
}
