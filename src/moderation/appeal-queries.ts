import { sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import type { AppealRow } from '../db/moderation-tables.ts'
import { type AsParams, pickParams, statement } from '../db/statement.ts'

const insert = statement((q, p: AsParams<AppealRow>) =>
  q
    .insertInto('appeals')
    .values(
      pickParams(p, [
        'id',
        'decision_id',
        'user_id',
        'body',
        'status',
        'answer',
        'answered_by',
        'created_at',
        'answered_at',
      ]),
    )
    .onConflict((conflict) => conflict.columns(['decision_id', 'user_id']).doNothing()),
)

/** Returns false when the user has appealed against this decision before. */
export async function insertAppeal(tx: Tx, row: AppealRow): Promise<boolean> {
  return (await tx.run(insert, { ...row })) > 0
}

const grantOpen = statement((q, p: { decisionId: string; answeredBy: string; now: number }) =>
  q
    .updateTable('appeals')
    .set({
      status: 'granted',
      answered_by: sql<string | null>`nullif(${p.answeredBy}, '')`,
      answered_at: p.now,
    })
    .where('decision_id', '=', p.decisionId)
    .where('status', '=', 'open'),
)

/** Grants the open appeals against a decision that was undone. */
export async function grantAppeals(
  tx: Tx,
  decisionId: string,
  answeredBy: string | null,
  now: number,
): Promise<void> {
  await tx.run(grantOpen, { decisionId, answeredBy: answeredBy ?? '', now })
}
