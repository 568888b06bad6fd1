import type { Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import { ApiError } from '../errors.ts'
import type { SessionHolder, Viewer } from '../http/auth.ts'
import { updateUsersSeen } from '../users/accounts.ts'
import { permissionsOf } from '../users/schema.ts'
import { rememberAgent, rememberNetwork, storedAgent } from './known.ts'
import type { LastSeen } from './last-seen.ts'
import {
  deleteOldestSessions,
  deleteSession,
  findSessionLocked,
  findSessionWithUser,
  insertSession,
  updateSessionTokens,
} from './queries.ts'
import {
  accessHash,
  isRefreshToken,
  newSeed,
  parseRefreshToken,
  sessionOfAccessToken,
  tokensOf,
} from './tokens.ts'

/** Milliseconds for which a replaced refresh token still returns the new tokens (docs/api.md, Sign in). */
const GRACE_MS = 30_000
/**
 * Maximum clock difference between processes in milliseconds. A rotation time further in the future comes from a wrong
 * clock.
 */
const CLOCK_SKEW_MS = 5_000

export interface SessionSettings {
  tokenSecret: string
  accessTokenTtl: number
  refreshTokenTtl: number
}

interface Tokens {
  access_token: string
  refresh_token: string
  token_type: 'Bearer'
  expires_in: number
}

export interface Client {
  ip: string | null
  userAgent: string | null
}

/**
 * Returns the viewer of an access token, and records the time of the request. Returns undefined when the token
 * is invalid or expired, or the user is suspended. Revocations, suspensions and role changes take effect with
 * the next request.
 */
export async function findViewer(
  db: Handle,
  token: string,
  now: number,
  lastSeen: LastSeen,
): Promise<SessionHolder | undefined> {
  const sessionId = sessionOfAccessToken(token)
  const row = sessionId && (await findSessionWithUser(db, sessionId))
  if (!row || row.is_suspended) return undefined
  const hashed = accessHash(token)
  const current = hashed === row.access_hash && now < row.access_expires_at
  const previous =
    hashed === row.previous_access_hash && now < (row.previous_access_expires_at ?? 0)
  if (!current && !previous) return undefined
  lastSeen.note(sessionId, row.id, row.last_seen_at, now)
  const { id, handle, role, tier } = row
  const isVerified = row.email_verified === 1
  return {
    id,
    handle,
    role,
    tier,
    permissions: permissionsOf(row),
    isVerified,
    sessionId,
    key: null,
  }
}

/**
 * Creates a session for an authenticated user and returns its first tokens. Ends the user's oldest sessions beyond a
 * hundred. Marks the client's device and network as known. The caller must hold the lock of the user.
 */
export async function openSession(
  tx: Tx,
  settings: SessionSettings,
  userId: string,
  client: Client,
  now: number,
): Promise<Tokens> {
  const id = newId('ses', now)
  const seed = newSeed()
  const { access, refresh } = tokensOf(settings.tokenSecret, { sessionId: id, seed, generation: 0 })
  // Stores the user's last activity here, because requests in the first minute of a session do not update it.
  await updateUsersSeen(tx, [{ id: userId, time: now }])
  await insertSession(tx, {
    id,
    user_id: userId,
    access_hash: accessHash(access),
    access_expires_at: now + settings.accessTokenTtl * 1000,
    previous_access_hash: null,
    previous_access_expires_at: null,
    seed,
    generation: 0,
    refreshed_at: now,
    expires_at: now + settings.refreshTokenTtl * 1000,
    user_agent: storedAgent(client.userAgent),
    ip: client.ip,
    created_at: now,
    last_seen_at: now,
  })
  await deleteOldestSessions(tx, userId, id)
  await rememberAgent(tx, settings, userId, client.userAgent, now)
  if (client.ip) await rememberNetwork(tx, settings, userId, client.ip, now)
  return toTokens(access, refresh, settings.accessTokenTtl)
}

function toTokens(access: string, refresh: string, seconds: number): Tokens {
  return {
    access_token: access,
    refresh_token: refresh,
    token_type: 'Bearer',
    expires_in: seconds,
  }
}

/**
 * Replaces the tokens of a session and returns the new ones. For 30 seconds, repeating the call with the old refresh
 * token returns the same new tokens. Later, or with an even older refresh token, the call ends the session and returns
 * undefined. Also returns undefined for an invalid or expired token.
 */
export function rotateTokens(
  db: Handle,
  settings: SessionSettings,
  refreshToken: string,
  now: number,
): Promise<Tokens | undefined> {
  const parsed = parseRefreshToken(refreshToken)
  if (!parsed) return Promise.resolve(undefined)
  const { sessionId, generation } = parsed
  return db.transaction(async (tx) => {
    const session = await findSessionLocked(tx, sessionId)
    if (!session || session.expires_at <= now) return undefined
    const { seed } = session
    const { tokenSecret } = settings
    const sent = { sessionId, seed, generation }
    if (!isRefreshToken(tokenSecret, refreshToken, sent)) return undefined
    if (generation === session.generation) {
      const next = { sessionId, seed, generation: generation + 1 }
      const { access, refresh } = tokensOf(tokenSecret, next)
      await updateSessionTokens(tx, {
        id: sessionId,
        generation: next.generation,
        access_hash: accessHash(access),
        access_expires_at: now + settings.accessTokenTtl * 1000,
        refreshed_at: now,
        expires_at: now + settings.refreshTokenTtl * 1000,
      })
      return toTokens(access, refresh, settings.accessTokenTtl)
    }
    if (generation === session.generation - 1 && isInGrace(session.refreshed_at, now)) {
      const current = { sessionId, seed, generation: session.generation }
      const { access, refresh } = tokensOf(tokenSecret, current)
      const left = Math.max(1, Math.ceil((session.access_expires_at - now) / 1000))
      return toTokens(access, refresh, left)
    }
    await deleteSession(tx, sessionId, session.user_id)
    return undefined
  })
}

/**
 * True until GRACE_MS after a rotation. False when the time of the rotation is more than CLOCK_SKEW_MS in the
 * future, because a wrong clock wrote it.
 */
function isInGrace(refreshedAt: number, now: number): boolean {
  return now < refreshedAt + GRACE_MS && now >= refreshedAt - CLOCK_SKEW_MS
}

/** Ends a session of the viewer. Errors: 404 SESSION_NOT_FOUND. */
export async function revokeSession(db: Handle, viewer: Viewer, id: string): Promise<void> {
  if (!(await deleteSession(db, id, viewer.id))) throw new ApiError('SESSION_NOT_FOUND')
}

export async function signOut(db: Handle, viewer: SessionHolder): Promise<void> {
  await deleteSession(db, viewer.sessionId, viewer.id)
}
