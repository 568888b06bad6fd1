/** Who calls: the declared mode of a route fixes the type of its viewer. */
import { ApiError } from '../errors.ts'
import type { KeyEnvironment } from '../db/console-tables.ts'
import type { Role, Tier } from '../db/tables.ts'

/**
 * - `public`: nobody is looked up.
 * - `optional`: a session if there is a good one, else null.
 * - `user`: a session, else 401.
 * - `admin`: a session of an administrator, else 401 or 403.
 * - `user-or-key`: a session, or an API key in `X-API-Key`, else 401.
 */
export type AuthMode = 'public' | 'optional' | 'user' | 'admin' | 'user-or-key'

/** The person a request acts for, as of this request. */
export interface Viewer {
  id: string
  handle: string
  role: Role
  tier: Tier
  /** False when the operator switched rate limits off. */
  isRateLimited?: boolean
}

/** Somebody who is signed in. */
export interface SessionHolder extends Viewer {
  sessionId: string
  key: null
}

/** Somebody in whose name a program calls with an API key. */
export interface KeyHolder extends Viewer {
  key: CallingKey
}

interface CallingKey {
  id: string
  /** Null for a legacy key. */
  environment: KeyEnvironment | null
  /** What the key may do now; null for a legacy key, which knows no scopes. */
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

const BEARER = /^bearer +([^\s,]+) *$/i

/** The token of an `Authorization: Bearer` header (RFC 6750), if it has that form. */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1]
}

/** The caller a mode lets in. Errors: 401 UNAUTHORIZED, 403 FORBIDDEN. */
export function admit(mode: AuthMode, caller: Caller | undefined): Caller | null {
  if (mode === 'optional') return caller ?? null
  if (!caller) throw new ApiError('UNAUTHORIZED')
  if (mode === 'admin' && caller.role !== 'admin') throw new ApiError('FORBIDDEN')
  return caller
}
