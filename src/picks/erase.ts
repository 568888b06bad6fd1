import type { Tx } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const unpick = statement((q, p: { contentId: string }) =>
  q.deleteFrom('picks').where('content_id', '=', p.contentId),
)

/** Ends the pick of a content item. Returns the number of deleted rows. */
export function erasePick(tx: Tx, contentId: string): Promise<number> {
  return tx.run(unpick, { contentId })
}
