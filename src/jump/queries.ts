import type { Tx } from '../db/handle.ts'
import { type AsParams, pickParams, statement } from '../db/statement.ts'
import type { Tables } from '../db/tables.ts'

type PlayRow = Tables['plays']

const insert = statement((q, p: AsParams<PlayRow>) =>
  q.insertInto('plays').values(pickParams(p, ['id', 'game_id', 'user_id', 'created_at'])),
)

export async function insertPlay(tx: Tx, play: PlayRow): Promise<void> {
  await tx.run(insert, { ...play })
}
