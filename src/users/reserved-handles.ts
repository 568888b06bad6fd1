import { createHmac } from 'node:crypto'
import type { Handle, Tx } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

/** Prefix of the handles of erased users. Registration rejects such a handle. */
export const ERASED_HANDLE = 'deleted_'

interface Key {
  tokenSecret: string
}

function hashOf({ tokenSecret }: Key, handle: string): string {
  return createHmac('sha256', tokenSecret).update(`handle ${handle}`).digest('base64url')
}

const insert = statement((q, p: { hash: string }) =>
  q
    .insertInto('reserved_handles')
    .values({ handle_hash: p.hash })
    .onConflict((conflict) => conflict.doNothing()),
)

/** Keeps the handle of an erased user from being registered again. Stores only a keyed hash. */
export async function reserveHandle(tx: Tx, key: Key, handle: string): Promise<void> {
  await tx.run(insert, { hash: hashOf(key, handle) })
}

const find = statement((q, p: { hash: string }) =>
  q.selectFrom('reserved_handles').select('handle_hash').where('handle_hash', '=', p.hash),
)

/** `handle` must be in lower case. */
export async function isHandleReserved(db: Handle, key: Key, handle: string): Promise<boolean> {
  return (await db.first(find, { hash: hashOf(key, handle) })) !== undefined
}
