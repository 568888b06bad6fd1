import { randomInt } from 'node:crypto'
import { ALPHABET } from '../db/ids.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { updateRows } from '../db/rows.ts'
import { statement } from '../db/statement.ts'
import { deleteDocument } from '../indexing/documents.ts'
import { ERASED_HANDLE } from './reserved-handles.ts'

/** Owner of contents during their erasure. A user with this id can never sign in (`033-erasure.ts`). */
export const ERASED_OWNER = 'usr_7zzzzzzzzzzzzzzzzzzzzzzzzz'

const HANDLE_DIGITS = 12

/** Replaces the data of a user with a tombstone that has this display name. */
export async function updateToTombstone(
  tx: Tx,
  { id, name }: { id: string; name: string },
  now: number,
): Promise<void> {
  const digits = Array.from({ length: HANDLE_DIGITS }, () => ALPHABET[randomInt(ALPHABET.length)])
  await deleteDocument(tx, id)
  await updateRows(
    tx,
    'users',
    { id, erased_at: null },
    {
      handle: ERASED_HANDLE + digits.join(''),
      email: '',
      email_key: id,
      password_hash: '',
      display_name: name,
      bio: null,
      avatar_url: null,
      avatar_sizes: null,
      blocked_avatar_url: null,
      role: 'user',
      permissions: '[]',
      last_seen_at: null,
      suspension_reason: null,
      search_text: '',
      email_verified: 0,
      pending_email: null,
      adult_filter: 'blur',
      flashing_filter: 'blur',
      erased_at: now,
    },
  )
}

const recent = statement((q, p: { after: number; before: number }) =>
  q
    .selectFrom('erasures')
    .innerJoin('users', 'users.id', 'erasures.id')
    .select('erasures.id')
    .where('erasures.erased_at', '>=', p.after)
    .where('erasures.erased_at', '<', p.before),
)

/** Returns the ids of users who were erased at or after `after` and before `before` (epoch milliseconds). */
export async function listErasedBetween(
  db: Handle,
  after: number,
  before: number,
): Promise<string[]> {
  return (await db.all(recent, { after, before })).map(({ id }) => id)
}
