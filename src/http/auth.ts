/** Who calls: the declared mode of a route fixes the type of its viewer. */
import { ApiError } from '../errors.ts'
import type { Role, Tier } from '../db/tables.ts'

/**
 * - `public`: nobody is looked up.
 * - `optional`: a session if there is a good one, else null.
 * - `user`: a session, else 401.
 * - `admin`: a session of an administrator, else 401 or 403.
 * - `user-or-key`: a session, or an API key in `X-API-Key`, else 401.
 */
export type AuthMode = 'public' | 'optional' | 'user' | 'admin' | 'user-or-key'

/** The person a session belongs to, as of this request. */
export interface Viewer {
  id: string
  handle: string
  role: Role
  tier: Tier
  sessionId: string
}

export type ViewerOf<A extends AuthMode> = A extends 'public'
  ? null
  : A extends 'optional'
    ? Viewer | null
    : Viewer

const BEARER = /^bearer +([^\s,]+) *$/i

/** The token of an `Authorization: Bearer` header (RFC 6750), if it has that form. */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1]
}

/** The viewer a mode lets in. Errors: 401 UNAUTHORIZED, 403 FORBIDDEN. */
export function admit(mode: AuthMode, viewer: Viewer | undefined): Viewer | null {
  if (mode === 'optional') return viewer ?? null
  if (!viewer) throw new ApiError('UNAUTHORIZED')
  if (mode === 'admin' && viewer.role !== 'admin') throw new ApiError('FORBIDDEN')
  return viewer
}
