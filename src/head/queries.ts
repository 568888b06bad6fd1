import type { Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const preference = statement((q, p: { id: string }) =>
  q.selectFrom('users').select('is_indexed').where('id', '=', p.id),
)

export async function isUserIndexed(db: Handle, id: string): Promise<boolean> {
  return (await db.first(preference, { id }))?.is_indexed === 1
}
