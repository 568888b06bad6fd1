/**
 * Devices (`User-Agent` headers) and networks from which users have signed in, stored as keyed hashes. New devices
 * cause alerts. Password guesses from other networks cannot block logins from known ones.
 */
import { createHmac } from 'node:crypto'
import type { Handle, Tx } from '../db/handle.ts'
import { hasRow } from '../db/rows.ts'
import { networkOf } from '../limits/address.ts'
import { isKnown, upsertKnown } from './known-queries.ts'

interface Secrets {
  tokenSecret: string
}

/** Returns the part of a `User-Agent` header that sessions store: at most 500 characters. */
export function storedAgent(userAgent: string | null): string | null {
  return userAgent?.slice(0, 500) ?? null
}

/** True when the user signed in with this `User-Agent` during the last 90 days, or has a session with it. */
export async function hasUsedAgent(
  db: Handle,
  secrets: Secrets,
  userId: string,
  userAgent: string | null,
  now: number,
): Promise<boolean> {
  const user_agent = storedAgent(userAgent)
  const hash = hashOf(secrets, 'agent', userId, user_agent ?? '')
  if (await isKnown(db, 'login_agents', { userId, hash }, now)) return true
  // A session in use can be older than 90 days. Its device may then be missing in `login_agents`.
  return user_agent !== null && hasRow(db, 'sessions', { user_id: userId, user_agent })
}

/** Marks the device as known. Call it in the transaction of the sign-in. */
export async function rememberAgent(
  tx: Tx,
  secrets: Secrets,
  userId: string,
  userAgent: string | null,
  now: number,
): Promise<void> {
  const hash = hashOf(secrets, 'agent', userId, storedAgent(userAgent) ?? '')
  await upsertKnown(tx, 'login_agents', { userId, hash }, now)
}

/** True when the user signed in from the network of this address during the last 90 days. */
export function hasSignedInFrom(
  db: Handle,
  secrets: Secrets,
  userId: string,
  ip: string,
  now: number,
): Promise<boolean> {
  const hash = hashOf(secrets, 'network', userId, networkOf(ip))
  return isKnown(db, 'login_networks', { userId, hash }, now)
}

/** Marks the network of this address as known. Call it in the transaction of the sign-in. */
export async function rememberNetwork(
  tx: Tx,
  secrets: Secrets,
  userId: string,
  ip: string,
  now: number,
): Promise<void> {
  const hash = hashOf(secrets, 'network', userId, networkOf(ip))
  await upsertKnown(tx, 'login_networks', { userId, hash }, now)
}

function hashOf({ tokenSecret }: Secrets, kind: string, userId: string, what: string): string {
  return createHmac('sha256', tokenSecret)
    .update(`login ${kind}\n${userId}\n${what}`)
    .digest('base64url')
}
