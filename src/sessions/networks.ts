/** Password guesses from other networks cannot block logins from known ones. Rows contain keyed hashes. */
import { createHmac } from 'node:crypto'
import type { Handle, Tx } from '../db/handle.ts'
import { networkOf } from '../limits/address.ts'
import { isKnownNetwork, upsertNetwork } from './network-queries.ts'

interface Secrets {
  tokenSecret: string
}

/** True when the user signed in from the network of this address during the last 90 days. */
export function hasSignedInFrom(
  db: Handle,
  secrets: Secrets,
  userId: string,
  ip: string,
  now: number,
): Promise<boolean> {
  const network = { user_id: userId, network_hash: hashOf(secrets, userId, ip) }
  return isKnownNetwork(db, network, now)
}

/** Marks the network of this address as known, in the transaction of the sign-in. */
export async function rememberNetwork(
  tx: Tx,
  secrets: Secrets,
  userId: string,
  ip: string,
  now: number,
): Promise<void> {
  const network_hash = hashOf(secrets, userId, ip)
  await upsertNetwork(tx, { user_id: userId, network_hash, seen_at: now })
}

function hashOf({ tokenSecret }: Secrets, userId: string, ip: string): string {
  return createHmac('sha256', tokenSecret)
    .update(`login network\n${userId}\n${networkOf(ip)}`)
    .digest('base64url')
}
