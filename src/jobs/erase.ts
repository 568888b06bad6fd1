import type { Tx } from '../db/handle.ts'
import { statementFamily, statement } from '../db/statement.ts'

const remove = statementFamily(({ table }: { table: 'job_turns' | 'job_usage' }) =>
  statement((q, p: { ownerId: string }) => q.deleteFrom(table).where('owner_id', '=', p.ownerId)),
)

/** Deletes the turns and the processor time of a user's jobs. Returns the number of rows. */
export async function eraseUsage(tx: Tx, ownerId: string): Promise<number> {
  return (
    (await tx.run(remove({ table: 'job_turns' }), { ownerId })) +
    (await tx.run(remove({ table: 'job_usage' }), { ownerId }))
  )
}
