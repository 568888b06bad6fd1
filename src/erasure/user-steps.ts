import { deleteAnnouncementReads } from '../announcements/queries.ts'
import { deleteTokensOf } from '../auth/mail-token-queries.ts'
import { deleteFilters } from '../blocks/queries.ts'
import { eraseBookmarksBy } from '../bookmarks/erase.ts'
import { eraseCommentLikesBy, eraseCommentsBy, eraseCommentsIn } from '../comments/erase.ts'
import { findContentOf } from '../contents/erase.ts'
import { findContentRow } from '../contents/queries.ts'
import { lockContent } from '../contents/rules.ts'
import { closeContents } from '../contents/visibility.ts'
import type { DeletionRow } from '../db/erasure-tables.ts'
import type { Db, Tx } from '../db/handle.ts'
import { deleteFactors } from '../factors/rules.ts'
import { eraseExports, removeEndedExports } from '../exports/rules.ts'
import { eraseFollows } from '../follows/erase.ts'
import { eraseAnswers } from '../idempotency/queries.ts'
import { deleteUsage } from '../jobs/queries.ts'
import { deleteJobOf, findJobLocked } from '../jobs/rules.ts'
import { eraseLikesBy } from '../likes/erase.ts'
import { deleteMails } from '../mail/queries.ts'
import {
  deleteHiders,
  eraseAppeals,
  eraseExcerpts,
  eraseReporter,
  eraseSnapshots,
  listHiddenTexts,
} from '../moderation/erase.ts'
import { eraseNotifications } from '../notifications/erase.ts'
import { erasePostLikesBy, erasePostsBy, erasePostsIn } from '../posts/erase.ts'
import { eraseKnown } from '../sessions/known-queries.ts'
import { deleteSessionsOf } from '../sessions/queries.ts'
import { eraseFollowerDays } from '../stats/days.ts'
import type { Store } from '../storage/store.ts'
import { deleteTagFollows } from '../tags/queries.ts'
import { noteRemoved, removeFiles } from '../uploads/removed.ts'
import { listUnusedOf, releaseUpload } from '../uploads/unused.ts'
import { findUser } from '../users/accounts.ts'
import { endInvites, eraseApplications } from '../admission/erase.ts'
import { findDeletion } from '../users/deletions.ts'
import { beginContentErasure, lockForErasure } from './begin-content.ts'
import { ROWS_MAX } from './content-steps.ts'

export interface UserErasure {
  userId: string
  choices: Pick<DeletionRow, 'contents' | 'texts'>
  now: number
}

/**
 * Erases rows of a user and updates stored counts. Some steps erase all rows at once, others at most `limit`. Returns 0
 * when no rows are left to erase.
 */
type UserStep = (tx: Tx, erasure: UserErasure, limit: number) => Promise<number>

/**
 * Steps of a user's erasure, by the table whose rows they erase. Sessions come first, in case a sign-in was
 * running when the erasure began.
 */
export const USER_STEPS: Record<string, UserStep> = {
  sessions: async (tx, { userId }) => {
    await deleteSessionsOf(tx, userId)
    return 0
  },
  totp_secrets: eraseFactors,
  passkeys: eraseFactors,
  recovery_codes: eraseFactors,
  mail_tokens: (tx, { userId }) => deleteTokensOf(tx, userId),
  exports: (tx, erasure, limit) => eraseExports(tx, erasure, limit),
  contents: eraseNextContent,
  comments: async (tx, { userId, choices }, limit) =>
    choices.texts === 'keep' ? 0 : eraseCommentsBy(tx, userId, limit),
  posts: async (tx, { userId, choices }, limit) =>
    choices.texts === 'keep' ? 0 : erasePostsBy(tx, userId, limit),
  hidden_subjects: eraseHiddenTexts,
  reports: (tx, { userId }, limit) => eraseReporter(tx, userId, limit),
  cases: (tx, { userId }, limit) => eraseSnapshots(tx, userId, limit),
  decisions: (tx, { userId }, limit) => eraseExcerpts(tx, userId, limit),
  appeals: (tx, erasure, limit) => eraseAppeals(tx, erasure, limit),
  likes: (tx, { userId }, limit) => eraseLikesBy(tx, userId, limit),
  bookmarks: (tx, { userId }, limit) => eraseBookmarksBy(tx, userId, limit),
  comment_likes: (tx, { userId }, limit) => eraseCommentLikesBy(tx, userId, limit),
  post_likes: (tx, { userId }, limit) => erasePostLikesBy(tx, userId, limit),
  follows: (tx, { userId }, limit) => eraseFollows(tx, userId, limit),
  follower_days: (tx, { userId }, limit) => eraseFollowerDays(tx, userId, limit),
  tag_follows: (tx, { userId }, limit) => deleteTagFollows(tx, userId, limit),
  user_filters: (tx, { userId }, limit) => deleteFilters(tx, userId, limit),
  notifications: (tx, { userId }, limit) => eraseNotifications(tx, userId, limit),
  login_networks: (tx, { userId }) => eraseKnown(tx, 'login_networks', userId),
  login_agents: (tx, { userId }) => eraseKnown(tx, 'login_agents', userId),
  idempotency_keys: (tx, { userId }, limit) => eraseAnswers(tx, userId, limit),
  mails: (tx, { userId }, limit) => deleteMails(tx, userId, limit),
  announcement_reads: (tx, { userId }, limit) => deleteAnnouncementReads(tx, userId, limit),
  applications: (tx, { userId }, limit) => eraseApplications(tx, userId, limit),
  invites: (tx, { userId, now }, limit) => endInvites(tx, userId, now, limit),
  uploads: eraseUploads,
  job_usage: (tx, { userId }) => deleteUsage(tx, userId),
}

async function eraseFactors(tx: Tx, { userId }: UserErasure): Promise<number> {
  await deleteFactors(tx, userId)
  return 0
}

/**
 * Begins the erasure of one content item of the user. With the choice `keep`, selects only unpublished content. Returns
 * 0 when none is left, otherwise 1.
 */
async function eraseNextContent(tx: Tx, { userId, choices, now }: UserErasure): Promise<number> {
  const id = await findContentOf(tx, userId, { published: choices.contents === 'erase' })
  if (id === undefined) return 0
  await lockForErasure(tx, id, now)
  const stats = await lockContent(tx, id)
  const row = await findContentRow(tx, id)
  if (!stats || row?.creator_id !== userId) return 1
  await closeContents(tx, [row])
  await beginContentErasure(tx, { ...stats, id }, now)
  return 1
}

/**
 * Deletes comments and posts that a moderator's decision hides. The other steps skip them, because hidden rows count as
 * deleted.
 */
async function eraseHiddenTexts(
  tx: Tx,
  { userId, choices }: UserErasure,
  limit: number,
): Promise<number> {
  if (choices.texts === 'keep') return 0
  const ids = await listHiddenTexts(tx, userId, limit)
  await eraseCommentsIn(
    tx,
    userId,
    ids.filter((id) => id.startsWith('cmt')),
  )
  await erasePostsIn(
    tx,
    userId,
    ids.filter((id) => id.startsWith('pst')),
  )
  await deleteHiders(tx, ids)
  return ids.length
}

async function eraseUploads(tx: Tx, { userId }: UserErasure, limit: number): Promise<number> {
  const uploads = await listUnusedOf(tx, userId, limit)
  // Locks the jobs of the files first, because jobs come before files in the lock order.
  const hashes = [...new Set(uploads.map(({ file_sha256 }) => file_sha256))]
  for (const hash of hashes) {
    await findJobLocked(tx, 'conversion', hash)
    await findJobLocked(tx, 'sizes', hash)
  }
  for (const { id } of uploads) {
    const file = await releaseUpload(tx, id)
    if (!file) continue
    await noteRemoved(tx, file)
    await deleteJobOf(tx, 'conversion', file.sha256)
    await deleteJobOf(tx, 'sizes', file.sha256)
  }
  return uploads.length
}

/**
 * Deletes the rows of an erased user, and the files that nothing else uses. Can be interrupted and repeated. Does
 * nothing if the user has not been marked as erased.
 */
export async function eraseUserRows(
  { db, store, now }: { db: Db; store: Store; now: () => number },
  userId: string,
  signal?: AbortSignal,
): Promise<void> {
  if (!(await findUser(db, userId))?.erased_at) return
  const choices =
    (await findDeletion(db, userId)) ?? ({ contents: 'erase', texts: 'erase' } as const)
  for (const step of Object.values(USER_STEPS)) {
    for (let erased = 1; erased > 0; ) {
      signal?.throwIfAborted()
      const erasure = { userId, choices, now: now() }
      erased = await db.transaction((tx) => step(tx, erasure, ROWS_MAX))
    }
  }
  await removeEndedExports(db, store, now())
  await removeFiles(db, store)
}
