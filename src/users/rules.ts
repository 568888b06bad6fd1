import type { Tx } from '../db/handle.ts'
import type { UserRow } from '../db/tables.ts'
import { insertNotificationCounts } from '../notifications/queries.ts'
import { insertUser } from './accounts.ts'

/** Inserts a user and all dependent rows. Returns false when the handle or the email is taken. */
export async function addUser(tx: Tx, user: UserRow): Promise<boolean> {
  if (!(await insertUser(tx, user))) return false
  await insertNotificationCounts(tx, user.id)
  return true
}
