import { sql } from 'kysely'
import { BATCH, inBatches } from '../db/batches.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { pickParams, statement } from '../db/statement.ts'

const AGENTS_MAX = 100
/** Milliseconds for which a device counts as known after a sign-in. */
const KNOWN_MS = 90 * 24 * 60 * 60 * 1000

interface Agent {
  user_id: string
  agent_hash: string
}

const known = statement(
  (q, p: { user_id: string; agent_hash: string; user_agent: string | null; since: number }) =>
    q
      .selectFrom('login_agents')
      .select('user_id')
      .where('user_id', '=', p.user_id)
      .where('agent_hash', '=', p.agent_hash)
      .where('seen_at', '>', p.since)
      // A session can be older than 90 days while it is used.
      .union((e) =>
        e
          .selectFrom('sessions')
          .select('user_id')
          .where('user_id', '=', p.user_id)
          .where('user_agent', '=', p.user_agent),
      )
      .limit(1),
)

/** True when a session of the user had this `User-Agent` during the last 90 days. */
export async function isKnownAgent(
  db: Handle,
  agent: Agent & { user_agent: string | null },
  now: number,
): Promise<boolean> {
  return (await db.first(known, { ...agent, since: now - KNOWN_MS })) !== undefined
}

const upsert = statement((q, p: { user_id: string; agent_hash: string; seen_at: number }) =>
  q
    .insertInto('login_agents')
    .values(pickParams(p, ['user_id', 'agent_hash', 'seen_at']))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'agent_hash']).doUpdateSet({ seen_at: p.seen_at }),
    ),
)
const removeOldest = statement((q, p: { userId: string; kept: string }) =>
  q
    .deleteFrom('login_agents')
    .where('user_id', '=', p.userId)
    .where('agent_hash', '<>', p.kept)
    .where('agent_hash', 'not in', (e) =>
      e
        .selectFrom('login_agents')
        .select('agent_hash')
        .where('user_id', '=', p.userId)
        .orderBy('seen_at', 'desc')
        .orderBy('agent_hash')
        .limit(sql.lit(AGENTS_MAX)),
    ),
)

/** Marks a device as known for the user, and deletes the oldest ones beyond 100. Requires the user's lock. */
export async function upsertAgent(tx: Tx, agent: Agent & { seen_at: number }): Promise<void> {
  const { user_id, agent_hash, seen_at } = agent
  await tx.run(upsert, { user_id, agent_hash, seen_at })
  await tx.run(removeOldest, { userId: user_id, kept: agent_hash })
}

const removeOld = statement((q, p: { before: number; after: number }) =>
  q
    .deleteFrom('login_agents')
    // Repeats the condition on the row to delete, because the user may have signed in again since the select.
    .where((e) => e.or([e('seen_at', '<=', p.before), e('seen_at', '>', p.after)]))
    .where((e) =>
      e(
        e.refTuple('user_id', 'agent_hash'),
        'in',
        e
          .selectFrom('login_agents')
          .select(['user_id', 'agent_hash'])
          .where((or) => or.or([or('seen_at', '<=', p.before), or('seen_at', '>', p.after)]))
          .limit(BATCH)
          .$asTuple('user_id', 'agent_hash'),
      ),
    ),
)

/** Deletes devices unused for 90 days, and those dated more than 90 days ahead by a wrong clock. */
export async function deleteOldAgents(db: Handle, now: number): Promise<void> {
  await inBatches(() => db.run(removeOld, { before: now - KNOWN_MS, after: now + KNOWN_MS }))
}
