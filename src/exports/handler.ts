import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { ExportRow } from '../db/erasure-tables.ts'
import type { Db, Tx } from '../db/handle.ts'
import type { Viewer } from '../http/auth.ts'
import { JobFailed } from '../jobs/rules.ts'
import type { JobControl, Finish, Worker } from '../jobs/worker.ts'
import { mailUser, type MailSettings } from '../mail/rules.ts'
import { notify } from '../notifications/notify.ts'
import type { Staging } from '../storage/staging.ts'
import type { Store } from '../storage/store.ts'
import type { StorageQuota } from '../uploads/quota.ts'
import { findUser } from '../users/accounts.ts'
import { permissionsOf } from '../users/schema.ts'
import { writeArchive } from './archive.ts'
import { findExport, updateExport } from './queries.ts'
import { pathOf } from './rules.ts'

export interface ExportJobDeps {
  db: Db
  clock: Clock
  store: Store
  staging: Staging
  quota: StorageQuota
  worker: Worker
  config: MailSettings & { exportTtl: number }
}

/** Registers the handler of the jobs that write exports. A job whose export was deleted ends without a result. */
export function handleExports(deps: ExportJobDeps): void {
  deps.worker.handle('export', ({ subject }, control) => run(deps, subject, control), {
    failed: async (tx, { subject }, error) => {
      const row = await findExport(tx, subject)
      if (row) await updateExport(tx, subject, { ...row, status: 'failed', error })
    },
  })
}

async function run(
  deps: ExportJobDeps,
  id: string,
  { signal, progress }: JobControl,
): Promise<Finish | void> {
  const { db, clock, store, staging, quota } = deps
  const row = await findExport(db, id)
  const user = row && (await findUser(db, row.user_id))
  if (!row || !user || user.erased_at !== null) return
  await updateExport(db, id, { ...row, status: 'processing' })
  if (row.with_files) await requireSpace(deps, user.id)
  const viewer: Viewer = {
    id: user.id,
    handle: user.handle,
    role: 'user',
    tier: user.tier,
    permissions: permissionsOf(user).slice(0, 0),
    isVerified: user.email_verified === 1,
  }
  const sizeBytes = await staging.withFolder(async (folder) => {
    const localFile = join(folder, 'export.zip')
    const { language } = row
    const now = clock.now()
    const withFiles = row.with_files === 1
    const options = { db, store, quota, viewer, language, withFiles, now, signal, progress }
    await writeArchive(localFile, options)
    signal.throwIfAborted()
    const { size } = await stat(localFile)
    await store.put(pathOf(id), localFile, 'application/zip')
    // If the export was deleted in the meantime, no row refers to the file.
    if (!(await findExport(db, id))) await store.remove(pathOf(id))
    return size
  })
  return (tx) => complete(tx, deps, row, { sizeBytes, handle: user.handle })
}

/**
 * Rejects an export that could take more than half of the free disk space. A full disk would stop the whole
 * site. Errors: JobFailed.
 */
async function requireSpace({ db, quota, staging }: ExportJobDeps, userId: string): Promise<void> {
  const { used_bytes } = await quota.read(db, userId)
  const { blocks, bavail, bsize } = await statfs(staging.folder)
  // `blocks` is 0 when the file system does not report its size.
  if (blocks > 0 && used_bytes > (bavail * bsize) / 2) throw new JobFailed('no_space')
}

async function complete(
  tx: Tx,
  { config, clock }: ExportJobDeps,
  row: ExportRow,
  { sizeBytes, handle }: { sizeBytes: number; handle: string },
): Promise<void> {
  const now = clock.now()
  const { id, user_id: userId, language } = row
  const expires_at = now + config.exportTtl * 1000
  const done = {
    status: 'completed',
    path: pathOf(id),
    size_bytes: sizeBytes,
    error: null,
  } as const
  if (!(await updateExport(tx, id, { ...done, expires_at }))) return
  const mail = {
    kind: 'export_ready',
    userId,
    language,
    params: { handle, until: expires_at },
  } as const
  await mailUser(tx, config, mail, now)
  const subject = { actorId: null, subjectId: id, link: '/account' }
  await notify(tx, [{ to: userId, type: 'system', kind: 'system.export_ready', ...subject }], now)
}
