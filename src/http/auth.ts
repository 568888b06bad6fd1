import { ApiError } from '../errors.ts'
import type { KeyEnvironment } from '../db/console-tables.ts'
import type { Permission, Role, Tier } from '../db/tables.ts'

/**
 * - `public`: no authentication.
 * - `optional`: the session if it is valid, else null.
 * - `user`: a valid session, else 401.
 * - `admin`: the session of an administrator, else 401 or 403.
 * - `moderate`, `members`, `site`: the session of an administrator or of a user with this permission, else 401
 *   or 403.
 * - `staff`: the session of an administrator or of a user with any permission, else 401 or 403.
 * - `user-or-key`: a valid session, or an API key in `X-API-Key`, else 401.
 */
export type AuthMode =
  | 'public'
  | 'optional'
  | 'user'
  | 'admin'
  | Permission
  | 'staff'
  | 'user-or-key'

export interface Viewer {
  id: string
  handle: string
  role: Role
  tier: Tier
  permissions: readonly Permission[]
  isVerified: boolean
  /** True for a user who must verify the email address before writing. */
  mustVerify?: boolean
  /** True when the limits of `RATE_LIMITS` apply to the user's writes. */
  isRateLimited?: boolean
}

export interface SessionHolder extends Viewer {
  sessionId: string
  key: null
}

export interface KeyHolder extends Viewer {
  key: CallingKey
}

interface CallingKey {
  id: string
  /** Null for a legacy key. */
  environment: KeyEnvironment | null
  /** Current scopes of the key; null for a legacy key. */
  scopes: readonly string[] | null
}

export type Caller = SessionHolder | KeyHolder

export type ViewerOf<A extends AuthMode> = A extends 'public'
  ? null
  : A extends 'optional'
    ? SessionHolder | null
    : A extends 'user-or-key'
      ? Caller
      : SessionHolder

/** True for modes that admit only admins and users with a permission. */
export function isStaff(mode: AuthMode): boolean {
  return !['public', 'optional', 'user', 'user-or-key'].includes(mode)
}

const BEARER = /^bearer +([^\s,]+) *$/i

/** Returns the token of an `Authorization: Bearer` header (RFC 6750), or undefined for other headers. */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1]
}

/**
 * Checks that the caller has access, and returns the caller, or null for `optional` without a caller. Errors:
 * 401 UNAUTHORIZED, 403 FORBIDDEN.
 */
export function admit(mode: AuthMode, caller: Caller | undefined): Caller | null {
  if (mode === 'optional') return caller ?? null
  if (!caller) throw new ApiError('UNAUTHORIZED')
  if (!isAllowed(mode, caller)) throw new ApiError('FORBIDDEN')
  return caller
}

function isAllowed(mode: AuthMode, { role, permissions }: Viewer): boolean {
  if (!isStaff(mode) || role === 'admin') return true
  if (mode === 'staff') return permissions.length > 0
  return permissions.some((permission) => permission === mode)
}

/** True when the viewer is an administrator or has this permission. */
export function may(viewer: Viewer | null, permission: Permission): boolean {
  return viewer !== null && isAllowed(permission, viewer)
}
