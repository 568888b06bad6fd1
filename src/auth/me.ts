import type { Flag } from '../db/flag.ts'
import { type Handle, type Tx, UniqueViolation } from '../db/handle.ts'
import type { DmPolicy, UserRow } from '../db/tables.ts'
import { ApiError, invalid } from '../errors.ts'
import { lockProven, type Proof, withPassword } from '../factors/confirm.ts'
import type { SessionHolder, Viewer } from '../http/auth.ts'
import type { MailSettings } from '../mail/rules.ts'
import type { Language } from '../messages/language.ts'
import { deleteSessionsOf } from '../sessions/queries.ts'
import { holdUploads } from '../uploads/queries.ts'
import type { StorageQuota } from '../uploads/quota.ts'
import { requirePicture } from '../uploads/rules.ts'
import { urlOf } from '../uploads/schema.ts'
import { requestAvatarSizes } from '../uploads/sizes.ts'
import { indexUser } from '../indexing/documents.ts'
import { findUser, updateAccount } from '../users/accounts.ts'
import { clearBlockedAvatar } from '../users/avatars.ts'
import { findDeletion } from '../users/deletions.ts'
import { searchTextOf, toAccount } from '../users/schema.ts'
import { changeAddress } from './address.ts'
import { deleteToken } from './mail-token-queries.ts'
import { announcePasswordChange } from './password-reset.ts'
import { type AuthTools, revealsAccount } from './rules.ts'

interface Changes {
  display_name?: string
  bio?: string | null
  avatar_upload_id?: string | null
  email?: string
  pending_email?: null
  sign_in_alerts?: boolean
  current_password?: string
  new_password?: string
  dm_policy?: DmPolicy
  content_filter?: { adult?: UserRow['adult_filter']; flashing?: UserRow['flashing_filter'] }
  is_indexed?: boolean
}

/** Returns the viewer's own account. Errors: UNAUTHORIZED when the account no longer exists. */
export async function getMe(db: Handle, quota: StorageQuota, viewer: Viewer) {
  const [row, storage, deletion] = await Promise.all([
    requireRow(db, viewer),
    quota.read(db, viewer.id),
    findDeletion(db, viewer.id),
  ])
  return { user: toAccount(row, storage, deletion) }
}

async function requireRow(db: Handle, viewer: Viewer): Promise<UserRow> {
  const user = await findUser(db, viewer.id)
  if (!user) throw new ApiError('UNAUTHORIZED')
  return user
}

/**
 * Applies all changes in one transaction and returns the account. A new password or email requires the current
 * password. A new password ends the other sessions.
 * Errors: VALIDATION_ERROR, EMAIL_TAKEN, LEGACY_ACCOUNT_CONFLICT; UNAUTHORIZED when the account no longer exists;
 * RATE_LIMITED after many wrong passwords or taken emails; SERVICE_UNAVAILABLE when too many requests hash passwords.
 */
export async function updateMe(
  db: Handle,
  tools: AuthTools,
  viewer: SessionHolder,
  changes: Changes,
  { language, now }: { language: Language; now: number },
) {
  const { config, quota } = tools
  const context = { config, quota, language, now }
  const avatar = await findAvatar(db, viewer, changes.avatar_upload_id)
  const credentials = changes.new_password !== undefined || changes.email !== undefined
  if (!credentials) return change(db, viewer, changes, { avatar }, context)
  const { current_password: password, new_password: wanted } = changes
  // Errors that reveal another account, such as EMAIL_TAKEN, count as failed attempts. The thief of a session
  // can therefore test only a limited number of emails.
  return withPassword(db, tools, viewer, password, now, async (proof, { slot, wasGood }) => {
    try {
      const newHash = wanted === undefined ? undefined : await slot.hash(wanted)
      const changed = await change(db, viewer, changes, { avatar, newHash, proof }, context)
      await wasGood()
      return changed
    } catch (error) {
      if (!revealsAccount(error)) await wasGood()
      throw error
    }
  })
}

interface Context {
  config: MailSettings
  quota: StorageQuota
  language: Language
  now: number
}

interface Looked {
  /** The new avatar picture; null to remove the avatar; undefined to keep it. */
  avatar: { sha256: string; url: string } | null | undefined
  newHash?: string | undefined
  proof?: Proof
}

async function findAvatar(
  db: Handle,
  viewer: Viewer,
  uploadId: string | null | undefined,
): Promise<Looked['avatar']> {
  if (typeof uploadId !== 'string') return uploadId
  const picture = await requirePicture(db, viewer.id, uploadId, 'avatar_upload_id')
  return { sha256: picture.file_sha256, url: urlOf(picture.thumbnail_path) }
}

async function change(
  db: Handle,
  viewer: SessionHolder,
  changes: Changes,
  { avatar, newHash, proof }: Looked,
  { config, quota, language, now }: Context,
) {
  const action = async (tx: Tx) => {
    const sizes = avatar
      ? await requestAvatarSizes(tx, { sha256: avatar.sha256, ownerId: viewer.id }, now)
      : null
    const before = await lockProven(tx, viewer, proof)
    const { avatar_upload_id: avatarId } = changes
    if (typeof avatarId === 'string') {
      if (!(await holdUploads(tx, [avatarId]))) throw invalid('avatar_upload_id', 'invalid.upload')
      // Checks the picture again, because it may have been blocked since the first check.
      await findAvatar(tx, viewer, avatarId)
    }
    if (avatarId !== undefined) await clearBlockedAvatar(tx, viewer.id)
    const moved =
      changes.email === undefined
        ? before
        : await changeAddress(tx, config, before, changes.email, language, now)
    if (changes.pending_email === null) await deleteToken(tx, viewer.id, 'verification')
    const named = { ...moved, display_name: changes.display_name ?? before.display_name }
    const after: UserRow = {
      ...named,
      pending_email: changes.pending_email === null ? null : named.pending_email,
      bio: changes.bio === undefined ? before.bio : changes.bio || null,
      avatar_url: avatar === undefined ? before.avatar_url : (avatar?.url ?? null),
      avatar_sizes: avatar === undefined ? before.avatar_sizes : sizes,
      password_hash: newHash ?? before.password_hash,
      search_text: searchTextOf(named),
      dm_policy: changes.dm_policy ?? before.dm_policy,
      adult_filter: changes.content_filter?.adult ?? before.adult_filter,
      flashing_filter: changes.content_filter?.flashing ?? before.flashing_filter,
      is_indexed: toFlag(changes.is_indexed, before.is_indexed),
      sign_in_alerts: toFlag(changes.sign_in_alerts, before.sign_in_alerts),
    }
    await updateAccount(tx, after)
    if (after.display_name !== before.display_name || after.bio !== before.bio) {
      await indexUser(tx, after)
    }
    if (newHash !== undefined) {
      await deleteSessionsOf(tx, viewer.id, viewer.sessionId)
      await deleteToken(tx, viewer.id, 'password_reset')
      await announcePasswordChange(tx, config, after, language, now)
    }
    const storage = await quota.read(tx, viewer.id)
    return { user: toAccount(after, storage, await findDeletion(tx, viewer.id)) }
  }
  try {
    return await db.transaction(action)
  } catch (error) {
    // Two users requested the same email simultaneously. The unique key accepts only the first.
    throw error instanceof UniqueViolation ? new ApiError('EMAIL_TAKEN') : error
  }
}

function toFlag(wanted: boolean | undefined, before: Flag): Flag {
  return wanted === undefined ? before : wanted ? 1 : 0
}
