import { createHmac } from 'node:crypto'
import type { Handle, Tx } from '../db/handle.ts'
import { hasRow, insertNew } from '../db/rows.ts'

/** Prefix of the handles of erased users. Registration rejects such a handle. */
export const ERASED_HANDLE = 'deleted_'

interface Key {
  tokenSecret: string
}

function hashOf({ tokenSecret }: Key, handle: string): string {
  return createHmac('sha256', tokenSecret).update(`handle ${handle}`).digest('base64url')
}

/** Keeps the handle of an erased user from being registered again. Stores only a keyed hash. */
export async function reserveHandle(tx: Tx, key: Key, handle: string): Promise<void> {
  await insertNew(tx, 'reserved_handles', { handle_hash: hashOf(key, handle) })
}

/** True when the handle belonged to an erased user. `handle` must be in lower case. */
export async function isHandleReserved(db: Handle, key: Key, handle: string): Promise<boolean> {
  return hasRow(db, 'reserved_handles', { handle_hash: hashOf(key, handle) })
}
