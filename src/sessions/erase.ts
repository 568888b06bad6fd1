import type { Tx } from '../db/handle.ts'
import { statementFamily, statement } from '../db/statement.ts'

type Known = 'login_networks' | 'login_agents'

const forget = statementFamily(({ table }: { table: Known }) =>
  statement((q, p: { userId: string }) => q.deleteFrom(table).where('user_id', '=', p.userId)),
)

/** Deletes the networks or browsers that a user has signed in from, which are few. Returns their number. */
export function eraseKnown(tx: Tx, table: Known, userId: string): Promise<number> {
  return tx.run(forget({ table }), { userId })
}
