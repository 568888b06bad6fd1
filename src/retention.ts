/**
 * Lists the tasks that delete expired rows. One process can run the tasks for all processes that share the database.
 */
import { deleteExpiredTokens } from './auth/mail-token-queries.ts'
import { deleteOldApplications } from './admission/application-queries.ts'
import { deleteOldReads } from './announcements/queries.ts'
import { deleteExpiredCaptchas } from './captcha/queries.ts'
import { deleteExpiredChallenges } from './factors/queries.ts'
import { deleteExpiredAnswers } from './idempotency/queries.ts'
import { deleteExpiredAttempts } from './limits/queries.ts'
import { deleteEndedMails } from './mail/queries.ts'
import type { MaintenanceTask } from './maintenance.ts'
import { deleteOldSnapshots } from './moderation/report-queries.ts'
import { deleteOldKnown } from './sessions/known-queries.ts'
import { deleteExpiredSessions } from './sessions/queries.ts'
import { deleteUnusedTags } from './tags/unused.ts'
import { deleteOldDeliveries } from './webhooks/delivery-queries.ts'

export const RETENTION: readonly MaintenanceTask[] = [
  deleteExpiredSessions,
  deleteOldKnown,
  deleteExpiredCaptchas,
  deleteExpiredAttempts,
  deleteExpiredChallenges,
  deleteExpiredAnswers,
  deleteOldDeliveries,
  deleteEndedMails,
  deleteExpiredTokens,
  deleteOldReads,
  deleteOldApplications,
  deleteOldSnapshots,
  deleteUnusedTags,
]
