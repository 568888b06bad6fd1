import type { Tx } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const remove = statement((q, p: { gameId: string; limit: number }) =>
  q
    .deleteFrom('plays')
    .where('id', 'in', (e) =>
      e
        .selectFrom('plays')
        .select('id')
        .where('game_id', '=', p.gameId)
        .orderBy('id')
        .limit(p.limit),
    ),
)

/** Deletes up to `limit` plays of a game. Returns their number. The caller holds the lock of the content. */
export function erasePlays(tx: Tx, gameId: string, limit: number): Promise<number> {
  return tx.run(remove, { gameId, limit })
}
