import type { ExportRow } from '../db/erasure-tables.ts'
import type { Db, Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import { ApiError } from '../errors.ts'
import { lockProven, type Proof } from '../factors/confirm.ts'
import type { Viewer } from '../http/auth.ts'
import { deleteJobOf, enqueue, findJobLocked } from '../jobs/rules.ts'
import { spend } from '../limits/rules.ts'
import type { Language } from '../messages/language.ts'
import type { Store } from '../storage/store.ts'
import { downloadPath } from './links.ts'
import {
  deleteExportRow,
  findExport,
  insertExport,
  listEnded,
  listExportsOf,
  updateDeleted,
  updateExport,
} from './queries.ts'
import { type ExportRecord, toExport } from './schema.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/**
 * Maximum exports of a user in a day. Failed and deleted exports count too, because each export reads all data of the
 * user.
 */
const DAILY_MAX = 10
const SHOWN_MAX = 20
const BATCH = 100

interface Key {
  tokenSecret: string
}

/** Returns the path of an export's file in the store. `/uploads` does not serve this path. */
export function pathOf(id: string): string {
  return `exports/${id}.zip`
}

function toRecord(row: ExportRow, config: Key, now: number, language: Language): ExportRecord {
  const url = row.expires_at === null ? '' : downloadPath(config, row.id, row.expires_at)
  return toExport(row, { url, now, language })
}

/**
 * Queues an export of the viewer's data. Errors: those of `lockProven`;
 * - 409 LIMIT_REACHED while another export is unfinished, or within a day after a successful export that still
 *   exists;
 * - 429 RATE_LIMITED after ten exports in a day, including failed and deleted ones.
 */
export async function createExport(
  db: Handle,
  config: Key,
  viewer: Viewer,
  { with_files = false }: { with_files?: boolean },
  proof: Proof,
  { now, language }: { now: number; language: Language },
): Promise<{ export: ExportRecord }> {
  const row: ExportRow = {
    id: newId('exp', now),
    user_id: viewer.id,
    status: 'queued',
    with_files: with_files ? 1 : 0,
    language,
    path: null,
    size_bytes: null,
    error: null,
    created_at: now,
    expires_at: null,
    deleted_at: null,
  }
  await db.transaction(async (tx) => {
    // Queues the job before locking the user's row. Transactions that lock a job and its user, such as `endJob`, lock
    // the job first.
    await enqueue(tx, { kind: 'export', subject: row.id, ownerId: viewer.id }, now)
    const user = await lockProven(tx, viewer, proof)
    if (user.erased_at !== null) throw new ApiError('UNAUTHORIZED')
    const earlier = await listExportsOf(tx, viewer.id, SHOWN_MAX)
    const counts = ({ status, created_at }: ExportRow) =>
      status === 'queued' ||
      status === 'processing' ||
      (status !== 'failed' && created_at > now - DAY_MS)
    if (earlier.some(counts)) throw new ApiError('LIMIT_REACHED')
    const limit = { bucket: `export:user:${viewer.id}`, max: DAILY_MAX, windowMs: DAY_MS }
    await spend(tx, [limit], now)
    await insertExport(tx, row)
  })
  return { export: toRecord(row, config, now, language) }
}

/** Returns the viewer's newest exports. */
export async function listExports(
  db: Handle,
  config: Key,
  viewer: Viewer,
  { now, language }: { now: number; language: Language },
) {
  const rows = await listExportsOf(db, viewer.id, SHOWN_MAX)
  return { exports: rows.map((row) => toRecord(row, config, now, language)) }
}

/** Deletes an export, which also cancels an unfinished one. Errors: 404 EXPORT_NOT_FOUND. */
export async function deleteExport(
  db: Handle,
  viewer: Viewer,
  id: string,
  now: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await findExport(tx, id)
    if (row?.user_id !== viewer.id) throw new ApiError('EXPORT_NOT_FOUND')
    await endExport(tx, id, now)
  })
}

async function endExport(tx: Tx, id: string, now: number): Promise<void> {
  await findJobLocked(tx, 'export', id)
  await deleteJobOf(tx, 'export', id)
  await updateDeleted(tx, id, now)
}

/** Deletes up to `limit` exports of a user, for the user's erasure. Returns their number. */
export async function eraseExports(
  tx: Tx,
  { userId, now }: { userId: string; now: number },
  limit: number,
): Promise<number> {
  const rows = await listExportsOf(tx, userId, limit)
  for (const { id } of rows) await endExport(tx, id, now)
  return rows.length
}

/** Removes the files of expired and deleted exports, and the rows of deleted ones. */
export async function removeEndedExports(db: Db, store: Store, now: number): Promise<void> {
  for (;;) {
    const rows = await listEnded(db, now, BATCH)
    for (const row of rows) {
      await store.remove(pathOf(row.id))
      if (row.deleted_at !== null) await deleteExportRow(db, row.id)
      else await updateExport(db, row.id, { ...row, status: 'expired', path: null })
    }
    if (rows.length < BATCH) return
  }
}

/** Removes files without a row. A process leaves one behind if it dies while it stores the file of a deleted export. */
export async function removeLostExports(db: Db, store: Store): Promise<void> {
  for await (const { path } of store.list('exports/')) {
    const id = /^exports\/(exp_[0-9a-z]{26})\.zip$/.exec(path)?.[1]
    if (id && !(await findExport(db, id))) await store.remove(path)
  }
}
