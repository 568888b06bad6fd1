import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Bundle } from '../bundles/bundle.ts'
import { insertBundle, readBundle } from '../bundles/rules.ts'
import type { Clock } from '../clock.ts'
import { DatabaseFull, type Handle, type Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { FileRow } from '../db/media-tables.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { requireRate, spendRate } from '../limits/write-rate.ts'
import type { SemaphorePerOwner } from '../semaphore.ts'
import { extensionOf } from '../storage/file-types.ts'
import type { Staging } from '../storage/staging.ts'
import { StorageUnavailable, type Store } from '../storage/store.ts'
import type { MediaFactsReader } from './facts.ts'
import { kindOf } from './kinds.ts'
import { type PreparedFile, prepareFile, type StagedFile } from './prepare.ts'
import { putFiles, takeBack } from './put.ts'
import {
  findFile,
  findUploads,
  type FoundUpload,
  insertFile,
  insertUpload,
  isAnyBlocked,
} from './queries.ts'
import type { StorageQuota } from './quota.ts'
import { FILE_FIELD, toUpload } from './schema.ts'
import { stageFile } from './stage.ts'
import { addToUsage, lockFile, ownsFile, usageOf } from './usage.ts'

const LOOKUPS_MAX = 8

export interface UploadDeps {
  clock: Clock
  store: Store
  staging: Staging
  mediaFacts: MediaFactsReader
  config: { tokenSecret: string }
  quota: StorageQuota
  /**
   * Semaphore that limits each user separately, so that no user can exhaust the memory limit that all uploads
   * share.
   */
  preparing: SemaphorePerOwner
}

/**
 * Stores an upload and returns its record. Identical bytes are stored only once for all users. `leastBytes` is the
 * minimum size of the upload. The sweep removes files that a failed upload leaves. Errors: 409 QUOTA_EXCEEDED, 413,
 * 415, 422 on an invalid or blocked file, 429 RATE_LIMITED, 507 STORAGE_FULL, StorageUnavailable.
 */
export async function createUpload(
  deps: UploadDeps,
  db: Handle,
  viewer: Viewer,
  bytes: Readable,
  leastBytes = 0,
) {
  await requireRate(db, viewer, 'upload', deps.clock.now())
  return deps.quota.withReservation(db, viewer.id, leastBytes, (reservation) =>
    deps.staging.withFolder(async (folder) => {
      const localFile = join(folder, 'upload')
      const hashed = await stageFile(bytes, localFile, (size) =>
        reservation.cover({ bytes: size, files: 1 }),
      )
      const staged = { localFile, ...hashed }
      await requireUnblocked(db, hashed.sha256)
      const known = await findStored(deps.store, db, staged)
      const { sha256: received } = staged
      const found =
        known && (await insertAll(deps, db, viewer, { file: known, received, isKnown: true }))
      if (found) {
        await requireStored(deps.store, pathsOf(known))
        return found
      }
      const prepared = await deps.preparing.run(viewer.id, async () => {
        await reservation.refresh(db)
        return prepareFile(staged, folder, deps.mediaFacts, (unpacked) =>
          reservation.cover({
            bytes: staged.sizeBytes + unpacked.bytes,
            files: 1 + unpacked.files,
          }),
        )
      })
      const file = toFileRow(prepared, deps)
      await reservation.refresh(db)
      reservation.cover(usageOf(file))
      return storeNew(deps, db, viewer, { file, received, bundle: prepared.bundle }, prepared)
    }),
  )
}

async function storeNew(
  deps: UploadDeps,
  db: Handle,
  viewer: Viewer,
  stored: Omit<StoredFile, 'isKnown'>,
  prepared: PreparedFile,
) {
  const { file } = stored
  const puts = await putFiles(db, deps.store, file, prepared)
  try {
    const inserted = await insertAll(deps, db, viewer, { ...stored, isKnown: false })
    if (!inserted) throw new Error(`missing database row of ${file.path}`)
    await requireStored(
      deps.store,
      puts.map(({ path }) => path),
    )
    return inserted
  } catch (error) {
    // Removes the files only after errors that prove that the transaction was not committed.
    if (error instanceof DatabaseFull || error instanceof ApiError) await takeBack(db, puts)
    throw error
  }
}

interface StoredFile {
  file: FileRow
  /** Hash of the bytes as received, before metadata was removed. */
  received: string
  bundle?: Bundle | null
  /** True when the database had a row for the file. Another process may have removed the row since. */
  isKnown: boolean
}

/**
 * Inserts the upload and counts it in the user's storage usage. Also inserts a new file and its bundle. Returns the
 * upload's record, or undefined when a known file has been removed since. Errors: 409 QUOTA_EXCEEDED, 422 on a blocked
 * file, 429 RATE_LIMITED.
 */
async function insertAll(
  { clock, quota }: UploadDeps,
  db: Handle,
  viewer: Viewer,
  { file, received, bundle, isKnown }: StoredFile,
) {
  const now = clock.now()
  const { sha256 } = file
  const upload = {
    id: newId('upl', now),
    owner_id: viewer.id,
    file_sha256: sha256,
    received_sha256: received === sha256 ? null : received,
    created_at: now,
  }
  return db.transaction(async (tx) => {
    await spendRate(tx, viewer, 'upload', now)
    if (!isKnown) await insertFile(tx, file)
    const row = await lockFile(tx, sha256)
    if (!row) return undefined
    await requireUnblocked(tx, sha256, row.thumbnail_path)
    if (bundle) await insertBundle(tx, sha256, bundle)
    if (!(await ownsFile(tx, viewer.id, sha256))) {
      await addToUsage(tx, viewer.id, usageOf(row))
      await quota.check(tx, viewer.id)
    }
    await insertUpload(tx, upload)
    const isBundle = kindOf(file.mime_type) === 'bundle'
    return { upload: toUpload(upload, file, isBundle ? await readBundle(tx, sha256) : null) }
  })
}

/**
 * Inserts a file that the server generated, and an upload for its owner. Counts the file in the owner's storage usage,
 * even above the quota. Inserts and counts nothing if the owner already has an upload of the file.
 */
export async function addMadeFile(
  tx: Tx,
  ownerId: string,
  file: FileRow,
  now: number,
): Promise<void> {
  const { sha256 } = file
  await insertFile(tx, file)
  const row = (await lockFile(tx, sha256)) ?? file
  if (await ownsFile(tx, ownerId, sha256)) return
  const id = newId('upl', now)
  await insertUpload(tx, {
    id,
    owner_id: ownerId,
    file_sha256: sha256,
    received_sha256: null,
    created_at: now,
  })
  await addToUsage(tx, ownerId, usageOf(row))
}

/** Rejects a file when a moderation decision blocks the file or its thumbnail. Errors: 422 on the file. */
async function requireUnblocked(
  db: Handle,
  sha256: string,
  thumbnailPath: string | null = null,
): Promise<void> {
  const hashes = [sha256, ...(thumbnailPath === null ? [] : [thumbnailPath.slice(0, 64)])]
  if (await isAnyBlocked(db, hashes)) throw invalid(FILE_FIELD, 'invalid.blocked_file')
}

/**
 * Returns the row of a file, or undefined when there is no row. Also returns undefined when the store lacks the file or
 * its thumbnail, or the file's size differs.
 */
async function findStored(
  store: Store,
  db: Handle,
  { sha256, sizeBytes }: StagedFile,
): Promise<FileRow | undefined> {
  const row = await findFile(db, sha256)
  if (!row) return undefined
  const paths = pathsOf(row)
  const [stored, thumbnail] = await Promise.all(paths.map((path) => store.find(path)))
  const exists = stored?.sizeBytes === sizeBytes && (paths.length === 1 || thumbnail)
  return exists ? row : undefined
}

function pathsOf({ path, thumbnail_path }: FileRow): string[] {
  return thumbnail_path === null ? [path] : [path, thumbnail_path]
}

/**
 * Checks that the store has the files of an upload. Errors: StorageUnavailable when a concurrent sweep removed a file.
 * Repeating the upload stores the file again.
 */
async function requireStored(store: Store, paths: readonly string[]): Promise<void> {
  for (let start = 0; start < paths.length; start += LOOKUPS_MAX) {
    const found = await Promise.all(
      paths.slice(start, start + LOOKUPS_MAX).map((path) => store.find(path)),
    )
    if (found.includes(undefined)) {
      throw new StorageUnavailable('a file was removed during its upload')
    }
  }
}

function toFileRow(file: PreparedFile, { clock, config }: UploadDeps): FileRow {
  const { sha256, mimeType, thumbnail } = file
  return {
    sha256,
    path: pathOf(sha256, mimeType, config.tokenSecret),
    mime_type: mimeType,
    size_bytes: file.sizeBytes,
    width: file.width,
    height: file.height,
    duration_ms: file.durationMs,
    audio_codec: file.audioCodec,
    thumbnail_path: thumbnail && `${thumbnail.sha256}.webp`,
    stored_bytes: storedBytesOf(file),
    rendition_bytes: 0,
    file_count: 1 + (thumbnail ? 1 : 0) + (file.bundle?.files.length ?? 0),
    is_measured: 1,
    created_at: clock.now(),
  }
}

/**
 * Returns the path of a file. The path of a video or audio original contains a secret, because the original may contain
 * private metadata. The hash alone is not secret, because the paths of renditions contain it. The secret has only 96
 * bits, because file names in a backup have at most 100 characters.
 */
function pathOf(sha256: string, mimeType: string, secret: string): string {
  const kind = kindOf(mimeType)
  const isOriginal = kind === 'video' || kind === 'sound'
  const code = createHmac('sha256', secret).update(`original ${sha256}`).digest('hex').slice(0, 24)
  return [sha256, ...(isOriginal ? [code] : []), extensionOf(mimeType)].join('.')
}

function storedBytesOf({ sizeBytes, thumbnail, bundle }: PreparedFile): number {
  const unpacked = bundle?.files.reduce((sum, file) => sum + file.sizeBytes, 0) ?? 0
  return sizeBytes + (thumbnail?.sizeBytes ?? 0) + unpacked
}

/**
 * Returns a picture that this user has uploaded. Errors: 422 on `field` when the user has no upload with this id, or
 * when the upload is not a picture or is blocked.
 */
export async function requirePicture(
  db: Handle,
  ownerId: string,
  id: string,
  field: string,
): Promise<FoundUpload & { thumbnail_path: string }> {
  const [upload] = await findUploads(db, ownerId, [id])
  if (!upload) throw invalid(field, 'invalid.upload')
  if (upload.is_blocked) throw invalid(field, 'invalid.blocked_file')
  const { thumbnail_path } = upload
  if (kindOf(upload.mime_type) !== 'picture' || thumbnail_path === null) {
    throw invalid(field, 'invalid.not_a_picture')
  }
  return { ...upload, thumbnail_path }
}
