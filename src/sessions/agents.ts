/** Devices (`User-Agent` headers) from which users have signed in, for alerts about new ones. */
import { createHmac } from 'node:crypto'
import type { Handle, Tx } from '../db/handle.ts'
import { isKnownAgent, upsertAgent } from './agent-queries.ts'

interface Secrets {
  tokenSecret: string
}

/** The part of a `User-Agent` header that sessions store. */
export function storedAgent(userAgent: string | null): string | null {
  return userAgent?.slice(0, 500) ?? null
}

/** True when a session of the user had this `User-Agent` during the last 90 days. */
export function hasUsedAgent(
  db: Handle,
  secrets: Secrets,
  userId: string,
  userAgent: string | null,
  now: number,
): Promise<boolean> {
  const user_agent = storedAgent(userAgent)
  const agent_hash = hashOf(secrets, userId, user_agent)
  return isKnownAgent(db, { user_id: userId, agent_hash, user_agent }, now)
}

/** Marks the device as known. Must be called in the transaction of the sign-in. */
export async function rememberAgent(
  tx: Tx,
  secrets: Secrets,
  userId: string,
  userAgent: string | null,
  now: number,
): Promise<void> {
  const agent_hash = hashOf(secrets, userId, storedAgent(userAgent))
  await upsertAgent(tx, { user_id: userId, agent_hash, seen_at: now })
}

function hashOf({ tokenSecret }: Secrets, userId: string, userAgent: string | null): string {
  return createHmac('sha256', tokenSecret)
    .update(`login agent\n${userId}\n${userAgent ?? ''}`)
    .digest('base64url')
}
