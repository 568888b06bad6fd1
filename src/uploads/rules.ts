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
import { extensionOf } from '../files/types.ts'
import type { Viewer } from '../http/auth.ts'
import { requireRate, spendRate } from '../limits/write-rate.ts'
import type { Staging } from '../storage/staging.ts'
import type { Store } from '../storage/store.ts'
import type { MediaFactsReader } from './facts.ts'
import { kindOf } from './kinds.ts'
import { type PreparedFile, prepareFile, type StagedFile } from './prepare.ts'
import { type Put, putFiles, takeBack } from './put.ts'
import { findFile, findUploads, type FoundUpload, insertFile, insertUpload } from './queries.ts'
import { toUpload } from './schema.ts'
import { stageFile } from './stage.ts'

/** Where files are stored, and what looks into them. */
export interface Place {
  clock: Clock
  store: Store
  staging: Staging
  mediaFacts: MediaFactsReader
  config: { tokenSecret: string }
}

/**
 * Stores what comes as an upload of the viewer's. The same bytes are stored once, however often and
 * by whomever they are sent. Until the answer nothing of it can be read, and a failure leaves nothing.
 * Errors: 413, 415, 422 on the file, 429 RATE_LIMITED, 507 STORAGE_FULL.
 */
export async function createUpload(place: Place, db: Handle, viewer: Viewer, bytes: Readable) {
  await requireRate(db, viewer, 'upload', place.clock.now())
  const stored = await storeFile(place, db, bytes)
  const now = place.clock.now()
  const { file } = stored
  const upload = {
    id: newId('upl', now),
    owner_id: viewer.id,
    file_sha256: file.sha256,
    created_at: now,
  }
  try {
    await db.transaction(async (tx) => {
      await spendRate(tx, viewer, 'upload', now)
      await insertStored(tx, stored)
      await insertUpload(tx, upload)
    })
  } catch (error) {
    // After any other error the rows may be there all the same.
    if (error instanceof DatabaseFull || error instanceof ApiError) await takeBack(db, stored.puts)
    throw error
  }
  const isBundle = kindOf(file.mime_type) === 'bundle'
  return { upload: toUpload(upload, file, isBundle ? await readBundle(db, file.sha256) : null) }
}

/** A file that is in the store. */
export interface StoredFile {
  file: FileRow
  /** Of a game that the database did not know. */
  bundle: Bundle | null
  isKnown: boolean
  puts: Put[]
}

/**
 * Puts what comes into the store, unless it is there, with all that belongs to it. It is nobody's
 * before `insertStored`, and swept away after a day unless it is taken back. Errors: as `createUpload`.
 */
export function storeFile(place: Place, db: Handle, bytes: Readable): Promise<StoredFile> {
  return place.staging.withFolder(async (folder) => {
    const localFile = join(folder, 'upload')
    const staged = { localFile, ...(await stageFile(bytes, localFile)) }
    const known = await findStored(place.store, db, staged)
    if (known) return { file: known, bundle: null, isKnown: true, puts: [] }
    const prepared = await prepareFile(staged, folder, place.mediaFacts)
    const file = toFileRow(prepared, place)
    const puts = await putFiles(db, place.store, file, prepared)
    return { file, bundle: prepared.bundle, isKnown: false, puts }
  })
}

/** Remembers a stored file; one that is known stays as it is. */
export async function insertStored(tx: Tx, { file, bundle, isKnown }: StoredFile): Promise<void> {
  if (isKnown) return
  await insertFile(tx, file)
  if (bundle) await insertBundle(tx, file.sha256, bundle)
}

/** The file with the same bytes, where the store still has it. */
async function findStored(
  store: Store,
  db: Handle,
  { sha256, sizeBytes }: StagedFile,
): Promise<FileRow | undefined> {
  const row = await findFile(db, sha256)
  if (!row) return undefined
  const paths = [row.path, ...(row.thumbnail_path === null ? [] : [row.thumbnail_path])]
  const [stored, thumbnail] = await Promise.all(paths.map((path) => store.find(path)))
  const isThere = stored?.sizeBytes === sizeBytes && (paths.length === 1 || thumbnail)
  return isThere ? row : undefined
}

function toFileRow(file: PreparedFile, { clock, config }: Place): FileRow {
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
    created_at: clock.now(),
  }
}

/**
 * Path of a stored file. Renditions show the hash of their original, which may hold private metadata:
 * so originals of video and sound also have a part that cannot be guessed.
 */
function pathOf(sha256: string, mimeType: string, secret: string): string {
  const kind = kindOf(mimeType)
  const isOriginal = kind === 'video' || kind === 'sound'
  const code = createHmac('sha256', secret).update(`original ${sha256}`).digest('hex').slice(0, 32)
  return [sha256, ...(isOriginal ? [code] : []), extensionOf(mimeType)].join('.')
}

/** A picture among this person's uploads. Errors: 422 on the field that names it. */
export async function requirePicture(
  db: Handle,
  ownerId: string,
  id: string,
  field: string,
): Promise<FoundUpload & { thumbnail_path: string }> {
  const [upload] = await findUploads(db, ownerId, [id])
  if (!upload) throw invalid(field, 'invalid.upload')
  const { thumbnail_path } = upload
  if (kindOf(upload.mime_type) !== 'picture' || thumbnail_path === null) {
    throw invalid(field, 'invalid.not_a_picture')
  }
  return { ...upload, thumbnail_path }
}
