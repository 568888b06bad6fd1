/**
 * Browsers and networks from which users have signed in. The number of rows for each user is limited: new rows replace
 * the oldest.
 */
import { deleteInBatches } from '../db/batches.ts'
import { sql } from 'kysely'
import { outside } from '../db/conditions.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows, putRow } from '../db/rows.ts'
import { rawQuery, statement, statementFamily } from '../db/statement.ts'

const HASHES = { login_agents: 'agent_hash', login_networks: 'network_hash' } as const
const MOST = { login_agents: 100, login_networks: 50 }
/** Milliseconds for which a browser or network counts as known after a sign-in. */
const KNOWN_MS = 90 * 24 * 60 * 60 * 1000

type Table = keyof typeof HASHES
type Pair = { userId: string; hash: string }

const byHash = statementFamily(({ table }: { table: Table }) =>
  statement((q, p: Pair & { since: number }) =>
    rawQuery<{ seen_at: number }>(
      q,
      sql`select seen_at from ${sql.table(table)}
        where user_id = ${p.userId} and ${sql.ref(HASHES[table])} = ${p.hash} and seen_at > ${p.since}`,
    ),
  ),
)

/** True when the user signed in from this browser or network during the last 90 days. */
export async function isKnown(db: Handle, table: Table, pair: Pair, now: number): Promise<boolean> {
  return (await db.first(byHash({ table }), { ...pair, since: now - KNOWN_MS })) !== undefined
}

const removeOldest = statementFamily(({ table }: { table: Table }) =>
  statement((q, p: Pair) => {
    const hash = sql.ref(HASHES[table])
    return rawQuery(
      q,
      sql`delete from ${sql.table(table)} where user_id = ${p.userId} and ${hash} <> ${p.hash}
        and ${hash} not in (select ${hash} from ${sql.table(table)} where user_id = ${p.userId}
          order by seen_at desc, ${hash} limit ${sql.lit(MOST[table])})`,
    )
  }),
)

/**
 * Marks a browser or network of the user as known, and deletes the oldest entries beyond the limit. Requires the
 * user's lock.
 */
export async function upsertKnown(
  tx: Tx,
  table: Table,
  { userId: user_id, hash }: Pair,
  seen_at: number,
): Promise<void> {
  if (table === 'login_agents') {
    const row = { user_id, agent_hash: hash, seen_at }
    await putRow(tx, 'login_agents', ['user_id', 'agent_hash'], row)
  } else {
    const row = { user_id, network_hash: hash, seen_at }
    await putRow(tx, 'login_networks', ['user_id', 'network_hash'], row)
  }
  await tx.run(removeOldest({ table }), { userId: user_id, hash })
}

/**
 * Deletes browsers and networks that were not used for 90 days, and those that a wrong clock dated more than 90
 * days ahead.
 */
export async function deleteOldKnown(db: Handle, now: number): Promise<void> {
  const old = { seen_at: outside(now - KNOWN_MS, now + KNOWN_MS) }
  await deleteInBatches(db, 'login_agents', ['user_id', 'agent_hash'], old)
  await deleteInBatches(db, 'login_networks', ['user_id', 'network_hash'], old)
}

/** Deletes the known browsers or networks of a user. Returns their number. */
export function eraseKnown(tx: Tx, table: Table, user_id: string): Promise<number> {
  return deleteRows(tx, table, { user_id })
}
