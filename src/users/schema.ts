import { type Static, Type } from 'typebox'
import { iso } from '../clock.ts'
import type { UserRow } from '../db/tables.ts'
import { choice, textOrNull, time } from '../http/fields.ts'

export const HANDLE = /^[a-z0-9_]{3,30}$/i

export const RoleName = choice(['user', 'admin'])

export const StorageInfo = Type.Object(
  {
    used_bytes: Type.Integer({
      description: 'Stored bytes of all uploads, with everything that was made of them',
    }),
    quota_bytes: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: unlimited' }),
  },
  { title: 'StorageInfo' },
)
export type StorageRecord = Static<typeof StorageInfo>

/** One's own account (contract, section 3). */
export const Account = Type.Object(
  {
    id: Type.String(),
    handle: Type.String(),
    email: Type.String(),
    display_name: Type.String(),
    bio: textOrNull(),
    avatar_url: textOrNull(),
    role: RoleName,
    created_at: time(),
    storage: StorageInfo,
  },
  { title: 'Account' },
)

export function toAccount(row: UserRow, storage: StorageRecord) {
  const { id, handle, email, display_name, bio, avatar_url, role, created_at } = row
  return {
    id,
    handle,
    email,
    display_name,
    bio,
    avatar_url,
    role,
    created_at: iso(created_at),
    storage,
  }
}

/** The form addresses and handles are compared in: without case. */
export function keyOf(text: string): string {
  return text.toLowerCase()
}

/**
 * The form that texts are searched in: without case. Folded beside lower case are letters whose lower case
 * depends on their place (final sigma) or language (dotted and dotless i), or whose capital is two letters (ß).
 */
export function foldCase(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('i\u0307', 'i')
}

/** What members are searched by, folded, one field a line. */
export function searchTextOf(user: Pick<UserRow, 'id' | 'handle' | 'email' | 'display_name'>) {
  return foldCase([user.handle, user.display_name, user.email, user.id].join('\n'))
}
