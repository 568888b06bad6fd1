import { type Static, Type } from 'typebox'
import { iso } from '../clock.ts'
import type { DeletionRow } from '../db/erasure-tables.ts'
import { DM_POLICIES, type Permission, PERMISSIONS, type UserRow } from '../db/tables.ts'
import { ADULT_FILTERS, FLASHING_FILTERS } from '../db/visibility-tables.ts'
import type { FactorColumns } from '../db/factor-tables.ts'
import { choice, textOrNull, time } from '../http/fields.ts'
import { PictureSize, sizesOf } from '../pictures/schema.ts'
import { Deletion, toDeletion } from './deletions.ts'

export const HANDLE = /^[a-z0-9_]{3,30}$/i

export const RoleName = choice(['user', 'admin'])
export const DmPolicyName = choice(DM_POLICIES, {
  description:
    'Who can start a conversation with you. `requests`: the first message of a user you do not follow becomes a request. `following`: only users you follow',
})
export const PermissionName = choice(PERMISSIONS)

/** Returns the stored permissions of a user. An admin has all permissions, even without stored ones. */
export function permissionsOf({ permissions }: Pick<UserRow, 'permissions'>): Permission[] {
  return JSON.parse(permissions)
}

/** Returns the permissions that API responses list: none for an administrator, who has all of them implicitly. */
export function listedPermissionsOf(row: Pick<UserRow, 'role' | 'permissions'>): Permission[] {
  return row.role === 'admin' ? [] : permissionsOf(row)
}

/** Record field: true when text and author are omitted because the viewer has blocked or muted the author. */
export const isFilteredField = Type.Boolean({
  description: 'True when you blocked or muted the author, so that only its place is shown',
})

export const FilterQuery = {
  filtered: choice(['collapse', 'show'], {
    default: 'collapse',
    description:
      '`collapse`: leaves out text and author where you blocked or muted the author. `show`: returns all in full',
  }),
}
export type FilterMode = Static<(typeof FilterQuery)['filtered']>

/**
 * True when the response omits the texts of users that the viewer has blocked or muted. False without a viewer, and
 * with `filtered=show`.
 */
export function collapses(viewer: object | null, { filtered }: { filtered: FilterMode }): boolean {
  return viewer !== null && filtered === 'collapse'
}

export const StorageInfo = Type.Object(
  {
    used_bytes: Type.Integer({
      description: 'Bytes of all uploads and of the files made from them',
    }),
    quota_bytes: Type.Union([Type.Integer(), Type.Null()], { description: 'Null means unlimited' }),
  },
  { title: 'StorageInfo' },
)
export type StorageRecord = Static<typeof StorageInfo>

export const AvatarSizes = Type.Array(PictureSize, {
  description:
    'Smaller versions of the avatar, by ascending width. Empty for animations, and until the server has made the versions',
})

/** A user as shown next to content items, comments and posts. */
export const UserRef = Type.Object(
  {
    id: Type.String(),
    handle: Type.String(),
    display_name: Type.String(),
    avatar_url: textOrNull(),
    avatar_sizes: AvatarSizes,
  },
  { title: 'UserRef' },
)

export type UserRefRow = Pick<
  UserRow,
  'id' | 'handle' | 'display_name' | 'avatar_url' | 'avatar_sizes'
>

export function toUserRef(row: UserRefRow) {
  const { id, handle, display_name, avatar_url } = row
  const avatar_sizes = sizesOf(avatar_url, row.avatar_sizes)
  return { id, handle, display_name, avatar_url, avatar_sizes }
}

const SecondFactor = Type.Object(
  {
    is_enabled: Type.Boolean({ description: 'True when signing in with the password needs it' }),
    methods: Type.Array(choice(['totp', 'passkey'])),
    recovery_codes_left: Type.Integer(),
  },
  { title: 'SecondFactor' },
)

/**
 * Returns whether a user has a second factor, which ones (TOTP, passkeys), and the number of unused recovery
 * codes.
 */
export function toSecondFactor(row: FactorColumns): Static<typeof SecondFactor> {
  const methods: ('totp' | 'passkey')[] = []
  if (row.has_totp) methods.push('totp')
  if (row.passkey_count > 0) methods.push('passkey')
  return {
    is_enabled: methods.length > 0,
    methods,
    recovery_codes_left: row.recovery_code_count,
  }
}

export const AdultFilter = choice(ADULT_FILTERS, {
  description: '`hide` leaves adult content out of feeds, games, recommendations, search and picks',
})
export const FlashingFilter = choice(FLASHING_FILTERS)

const ContentFilter = Type.Object(
  { adult: AdultFilter, flashing: FlashingFilter },
  { title: 'ContentFilter', description: 'How the client shows adult and flashing content' },
)

/** Second factors and preferences of a new account. */
export const NEW_ACCOUNT = {
  has_totp: 0,
  passkey_count: 0,
  recovery_code_count: 0,
  dm_policy: 'everyone',
  sign_in_alerts: 1,
  adult_filter: 'blur',
  flashing_filter: 'blur',
  is_indexed: 1,
} as const

/** The viewer's own account. */
export const Account = Type.Object(
  {
    id: Type.String(),
    handle: Type.String(),
    email: Type.String(),
    display_name: Type.String(),
    bio: textOrNull(),
    avatar_url: textOrNull(),
    avatar_sizes: AvatarSizes,
    role: RoleName,
    permissions: Type.Array(PermissionName, {
      description: 'Permissions given to the user; an admin has all of them',
    }),
    email_verified: Type.Boolean(),
    pending_email: textOrNull({
      description: 'New address that waits for its verification',
    }),
    sign_in_alerts: Type.Boolean({ description: 'Mails about sign-ins with a new device' }),
    second_factor: SecondFactor,
    created_at: time(),
    storage: StorageInfo,
    dm_policy: DmPolicyName,
    content_filter: ContentFilter,
    is_indexed: Type.Boolean({ description: 'True when search engines may index your pages' }),
    deletion: Type.Union([Deletion, Type.Null()], {
      description: 'Requested deletion of the account; null without one',
    }),
  },
  { title: 'Account' },
)

export function toAccount(row: UserRow, storage: StorageRecord, deletion: DeletionRow | undefined) {
  const { id, handle, email, display_name, bio, avatar_url, role, created_at } = row
  const { email_verified, pending_email, sign_in_alerts } = row
  return {
    id,
    handle,
    email,
    display_name,
    bio,
    avatar_url,
    avatar_sizes: sizesOf(row.avatar_url, row.avatar_sizes),
    role,
    permissions: listedPermissionsOf(row),
    email_verified: email_verified === 1,
    pending_email,
    sign_in_alerts: sign_in_alerts === 1,
    second_factor: toSecondFactor(row),
    created_at: iso(created_at),
    storage,
    dm_policy: row.dm_policy,
    content_filter: { adult: row.adult_filter, flashing: row.flashing_filter },
    is_indexed: row.is_indexed === 1,
    deletion: deletion ? toDeletion(deletion) : null,
  }
}

/** Returns the lower case of an email address or handle, for comparisons. */
export function keyOf(text: string): string {
  return text.toLowerCase()
}

/**
 * Normalises a text for search, so that spellings that differ only in case become equal. Besides lower-casing, replaces
 * the final ς by σ, ß by ss, and ı and the lower case of İ by i.
 */
export function foldCase(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('i\u0307', 'i')
}

/** Returns the text that user search matches: case-folded, one field per line. */
export function searchTextOf(user: Pick<UserRow, 'id' | 'handle' | 'email' | 'display_name'>) {
  return foldCase([user.handle, user.display_name, user.email, user.id].join('\n'))
}
