/**
 * Publishes content items after their media are converted. An item to publish has the status `processing` until all
 * conversions have succeeded. When one fails, the item becomes a draft. Lock order: jobs by the hash of their files,
 * then content items by id. A job that ends therefore sees all content items that wait for it.
 */
import { iso } from '../clock.ts'
import { expectedCost, type FileCost } from './conversion-cost.ts'
import type { Db, Handle, Tx } from '../db/handle.ts'
import type { FileRow, JobRow } from '../db/media-tables.ts'
import {
  enqueueAnew,
  enqueueUnlessCompleted,
  findJobLocked,
  jobErrorText,
  listJobs,
  type NewJob,
} from '../jobs/rules.ts'
import type { Language } from '../messages/language.ts'
import { deleteNotificationsBy } from '../notifications/erase.ts'
import { type NewNotification, notify } from '../notifications/notify.ts'
import { urlOf } from '../uploads/schema.ts'
import {
  type Awaits,
  listConcerned,
  listConcernedAfter,
  listFilesOf,
  listRenditions,
  listStates,
  listStranded,
  lockContents,
  POSTER_TYPE,
  updateConverted,
} from './conversion-queries.ts'
import { present } from './publish.ts'
import { updatePublishedAt } from './queries.ts'
import type { ConversionRecord, StoredMedia } from './schema.ts'

export type MediaFile = FileCost & Pick<FileRow, 'sha256' | 'mime_type' | 'audio_codec'>

const BATCH = 50
/** Audio codecs that browsers play, by MIME type of the container. */
const WEB_SOUND: Record<string, RegExp> = {
  'audio/mpeg': /^/,
  'audio/flac': /^/,
  'audio/mp4': /^(aac|mp3|opus|flac)$/,
  'audio/ogg': /^(opus|vorbis|flac)$/,
  'audio/webm': /^(opus|vorbis)$/,
  'audio/wav': /^pcm-(u8|s16|s24|s32|f32)$/,
}

function needsConversion({ mime_type, audio_codec }: MediaFile): boolean {
  if (mime_type.startsWith('video/')) return true
  return mime_type.startsWith('audio/') && !WEB_SOUND[mime_type]?.test(audio_codec ?? '')
}

/**
 * Returns the files that need a conversion, without duplicates, sorted by hash. Jobs are locked in this order.
 */
function filesToConvert(files: readonly MediaFile[]): MediaFile[] {
  const byHash = new Map(files.filter(needsConversion).map((file) => [file.sha256, file]))
  return [...byHash].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, file]) => file)
}

function toJob(file: MediaFile, ownerId: string): NewJob {
  return { kind: 'conversion', subject: file.sha256, ownerId, ...expectedCost(file) }
}

/**
 * Queues the missing and failed conversions of these files, and locks all their jobs. Returns true when all conversions
 * of the files are completed.
 */
export async function queueConversions(
  tx: Tx,
  ownerId: string,
  files: readonly MediaFile[],
  now: number,
): Promise<boolean> {
  let isReady = true
  for (const file of filesToConvert(files)) {
    const { status } = await enqueueUnlessCompleted(tx, toJob(file, ownerId), now)
    if (status !== 'completed') isReady = false
  }
  return isReady
}

/**
 * Returns the state of a content item's conversions: `failed` when one has failed, `waiting` while one is unfinished,
 * otherwise `ready`. Queues missing conversions unless one has failed. Locks the jobs, so call it before locking the
 * content item.
 */
export async function readinessOf(
  tx: Tx,
  ownerId: string,
  contentId: string,
  now: number,
): Promise<'ready' | 'waiting' | 'failed'> {
  let readiness: 'ready' | 'waiting' = 'ready'
  for (const file of filesToConvert(await listFilesOf(tx, contentId))) {
    const job = await findJobLocked(tx, 'conversion', file.sha256)
    if (job?.status === 'failed') return 'failed'
    if (!job) await enqueueUnlessCompleted(tx, toJob(file, ownerId), now)
    if (job?.status !== 'completed') readiness = 'waiting'
  }
  return readiness
}

/**
 * Returns `media` with the URL, type, dimensions and size of each file's best playable rendition, if any. `files`
 * must be in the order of `media`.
 */
export async function showRenditions(
  tx: Handle,
  media: readonly StoredMedia[],
  files: readonly Pick<FileRow, 'sha256'>[],
): Promise<StoredMedia[]> {
  const rows = (
    await listRenditions(
      tx,
      files.map(({ sha256 }) => sha256),
    )
  ).filter(isPlayable)
  return media.map((medium, index) => {
    const best = rows.find(({ file_sha256 }) => file_sha256 === files[index]?.sha256)
    if (!best) return medium
    const { path, mime_type, width, height, size_bytes } = best
    return {
      ...medium,
      url: urlOf(path),
      mime_type,
      width,
      height,
      size_bytes: size_bytes ?? medium.size_bytes,
    }
  })
}

function isPlayable({ mime_type }: { mime_type: string }): boolean {
  return /^(video|audio)\/mp4$/.test(mime_type)
}

/** Returns the URL of the first poster among the renditions of these files, in file order, or null. */
export async function findPosterUrl(
  tx: Handle,
  files: readonly Pick<FileRow, 'sha256'>[],
): Promise<string | null> {
  const hashes = files.map(({ sha256 }) => sha256)
  const posters = (await listRenditions(tx, hashes)).filter(isPoster)
  const first = hashes.find((hash) => posters.some(({ file_sha256 }) => file_sha256 === hash))
  const poster = posters.find(({ file_sha256 }) => file_sha256 === first)
  return poster ? urlOf(poster.path) : null
}

/**
 * Updates up to BATCH content items that use the file, and queues `publishAllConverted` for further ones. Runs in the
 * transaction that ends the conversion. Calls `count`, which locks the storage usage, before it locks notification
 * counts.
 */
export async function publishConverted(
  tx: Tx,
  sha256: string,
  now: number,
  count?: () => Promise<void>,
): Promise<void> {
  const ids = await listConcerned(tx, sha256, BATCH)
  // Queues the job first, because jobs are locked before content items. Restarts a running job, which may have passed
  // some of these content items already.
  if (ids.length === BATCH) {
    await enqueueAnew(tx, { kind: 'settling', subject: sha256, ownerId: '' }, now)
  }
  await publish(tx, ids, { awaits: 'all', now, count })
}

/** Updates all content items that use the file, BATCH per transaction. Can be interrupted and repeated. */
export async function publishAllConverted(
  db: Db,
  sha256: string,
  { now, signal }: { now: () => number; signal: AbortSignal },
): Promise<void> {
  for (let after = ''; ; ) {
    signal.throwIfAborted()
    const ids = await listConcernedAfter(db, sha256, { after, limit: BATCH })
    const last = ids.at(-1)
    if (last === undefined) return
    await db.transaction((tx) => publish(tx, ids, { awaits: 'all', now: now() }))
    after = last
  }
}

/**
 * Publishes `processing` content items without unfinished conversions, or makes them drafts when a conversion failed.
 * Such items remain when conversions were switched off or a process died before the update. Without `converts`, ignores
 * queued conversions.
 */
export async function publishStranded(db: Db, now: number, converts: boolean): Promise<void> {
  const awaits = converts ? 'all' : 'running'
  for (;;) {
    const ids = await listStranded(db, { awaits, now, limit: BATCH })
    if (ids.length === 0) return
    await db.transaction((tx) => publish(tx, ids, { awaits, now }))
  }
}

/**
 * Publishes the given `processing` content items without unfinished conversions. Items with a failed conversion
 * become drafts instead. Updates the media of all given items.
 */
export async function publish(
  tx: Tx,
  ids: readonly string[],
  {
    awaits,
    now,
    count,
  }: { awaits: Awaits; now: number; count?: (() => Promise<void>) | undefined },
): Promise<void> {
  await lockContents(tx, [...ids].sort())
  const notifications: NewNotification[] = []
  const published = []
  const scheduled: Published[] = []
  for (const content of await listStates(tx, ids, { awaits, now })) {
    const isWaiting = content.status === 'processing'
    const isPublished = isWaiting && content.error === null && !content.waits
    const status = isPublished ? 'published' : isWaiting && content.error ? 'draft' : content.status
    const poster = content.poster_path === null ? null : urlOf(content.poster_path)
    const thumbnail_url = content.thumbnail_url ?? poster
    const stored = JSON.parse(content.media) as StoredMedia[]
    const media = JSON.stringify(
      await showRenditions(
        tx,
        stored.map((medium) => ({ ...medium, original_url: medium.original_url ?? medium.url })),
        await listFilesOf(tx, content.id),
      ),
    )
    const isOther = thumbnail_url !== content.thumbnail_url || media !== content.media
    if (status !== content.status || isOther) {
      await updateConverted(tx, {
        id: content.id,
        status,
        media,
        thumbnail_url,
        published_at: isPublished ? now : null,
        publish_at: status === 'processing' || !isWaiting ? content.publish_at : null,
        updated_at: Math.max(now, content.updated_at),
      })
    }
    if (isPublished) {
      await updatePublishedAt(tx, content.id, now)
      published.push(content)
    }
    const isDue = isWaiting && content.publish_at !== null
    if (isDue && status !== 'processing') scheduled.push(content)
    else if (status === 'draft' && content.error)
      notifications.push(failureNotification(content, content.error))
  }
  notifications.push(...(await present(tx, published, now)))
  await count?.()
  // Deletes notifications about earlier schedules of these items, because `notify` skips a subject that already has
  // a notification.
  await deleteNotificationsBy(tx, scheduled.map(toScheduleKey))
  notifications.push(...scheduled.map(scheduleNotification))
  await notify(tx, notifications, now)
}

interface Published {
  id: string
  creator_id: string
  title: string
  error: string | null
}

export function toScheduleKey({ id }: { id: string }) {
  return { actor_id: '', subject_id: `${id}:schedule` }
}

function scheduleNotification({ id, creator_id, title, error }: Published): NewNotification {
  return {
    to: creator_id,
    type: 'system',
    kind: error === null ? 'system.scheduled_published' : 'system.scheduled_failed',
    actorId: null,
    subjectId: toScheduleKey({ id }).subject_id,
    params: { title, ...(error !== null && { reason: `job.${error}` }) },
    link: `/contents/${id}`,
  }
}

function failureNotification({ id, creator_id, title }: Published, error: string): NewNotification {
  return {
    to: creator_id,
    type: 'system',
    kind: 'system.conversion_failed',
    actorId: null,
    subjectId: id,
    params: { title, reason: `job.${error}` },
    link: `/contents/${id}`,
  }
}

export async function getConversion(
  db: Handle,
  { id, created_at }: { id: string; created_at: number },
  { converts, language }: { converts: boolean; language: Language },
): Promise<ConversionRecord> {
  const hashes = [...new Set((await listFilesOf(db, id)).map(({ sha256 }) => sha256))]
  const found = await listJobs(db, 'conversion', hashes)
  // With conversions switched off, only completed jobs count. Their renditions are still served.
  const jobs = converts ? found : found.filter(({ status }) => status === 'completed')
  if (jobs.length === 0) {
    const updated_at = iso(created_at)
    return { status: 'not_required', progress: 1, renditions: [], error: null, updated_at }
  }
  const done = jobs.filter(({ status }) => status === 'completed').map(({ subject }) => subject)
  const made = (await listRenditions(db, done)).filter((row) => !isPoster(row))
  const failed = jobs.find(({ status }) => status === 'failed')
  const shares = jobs.map(({ status, progress }) => (status === 'completed' ? 1000 : progress))
  return {
    status: statusOf(jobs),
    progress: Math.floor(shares.reduce((sum, share) => sum + share, 0) / jobs.length) / 1000,
    renditions: hashes.flatMap((hash) =>
      made
        .filter(({ file_sha256 }) => file_sha256 === hash)
        .map(({ path, mime_type, width, height }) => ({
          url: urlOf(path),
          mime_type,
          width,
          height,
        })),
    ),
    error: failed ? jobErrorText(failed, language) : null,
    updated_at: iso(Math.max(...jobs.map(({ updated_at }) => updated_at))),
  }
}

function statusOf(jobs: readonly JobRow[]): ConversionRecord['status'] {
  const are = (status: JobRow['status']) => jobs.every((job) => job.status === status)
  if (jobs.some(({ status }) => status === 'failed')) return 'failed'
  if (are('queued')) return 'queued'
  return are('completed') ? 'completed' : 'processing'
}

function isPoster({ mime_type }: { mime_type: string }): boolean {
  return mime_type === POSTER_TYPE
}
