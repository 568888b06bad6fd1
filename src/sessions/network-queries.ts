import { sql } from 'kysely'
import { BATCH, inBatches } from '../db/batches.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { pickParams, statement } from '../db/statement.ts'

const NETWORKS_MAX = 50
/** A network counts as known for this time after a sign-in. */
const KNOWN_MS = 90 * 24 * 60 * 60 * 1000

const byKey = statement((q, p: { user_id: string; network_hash: string; since: number }) =>
  q
    .selectFrom('login_networks')
    .select('seen_at')
    .where('user_id', '=', p.user_id)
    .where('network_hash', '=', p.network_hash)
    .where('seen_at', '>', p.since),
)

export async function isKnownNetwork(
  db: Handle,
  network: { user_id: string; network_hash: string },
  now: number,
): Promise<boolean> {
  return (await db.first(byKey, { ...network, since: now - KNOWN_MS })) !== undefined
}

const upsert = statement((q, p: { user_id: string; network_hash: string; seen_at: number }) =>
  q
    .insertInto('login_networks')
    .values(pickParams(p, ['user_id', 'network_hash', 'seen_at']))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'network_hash']).doUpdateSet({ seen_at: p.seen_at }),
    ),
)
const removeOldest = statement((q, p: { userId: string; kept: string }) =>
  q
    .deleteFrom('login_networks')
    .where('user_id', '=', p.userId)
    .where('network_hash', '<>', p.kept)
    .where('network_hash', 'not in', (e) =>
      e
        .selectFrom('login_networks')
        .select('network_hash')
        .where('user_id', '=', p.userId)
        .orderBy('seen_at', 'desc')
        .orderBy('network_hash')
        .limit(sql.lit(NETWORKS_MAX)),
    ),
)

/** Marks a network as known, and deletes the user's oldest networks beyond 50. Requires the user's lock. */
export async function upsertNetwork(
  tx: Tx,
  network: { user_id: string; network_hash: string; seen_at: number },
): Promise<void> {
  await tx.run(upsert, network)
  await tx.run(removeOldest, { userId: network.user_id, kept: network.network_hash })
}

const removeOld = statement((q, p: { before: number; after: number }) =>
  q
    .deleteFrom('login_networks')
    // Repeats the condition on the row to delete, because the user may have signed in again since the select.
    .where((e) => e.or([e('seen_at', '<=', p.before), e('seen_at', '>', p.after)]))
    .where((e) =>
      e(
        e.refTuple('user_id', 'network_hash'),
        'in',
        e
          .selectFrom('login_networks')
          .select(['user_id', 'network_hash'])
          .where((or) => or.or([or('seen_at', '<=', p.before), or('seen_at', '>', p.after)]))
          .limit(BATCH)
          .$asTuple('user_id', 'network_hash'),
      ),
    ),
)

/** Deletes networks unused for 90 days, and those dated more than 90 days ahead by a wrong clock. */
export async function deleteOldNetworks(db: Handle, now: number): Promise<void> {
  await inBatches(() => db.run(removeOld, { before: now - KNOWN_MS, after: now + KNOWN_MS }))
}
