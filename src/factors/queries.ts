import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { BATCH, inBatches } from '../db/batches.ts'
import type { PasskeyRow, TotpSecretRow } from '../db/factor-tables.ts'
import { type AsParams, pickParams, statement } from '../db/statement.ts'

const totp = statement((q, p: { userId: string }) =>
  q.selectFrom('totp_secrets').selectAll().where('user_id', '=', p.userId),
)

/** Returns the user's TOTP secret. Requires the user's lock if the secret will be changed. */
export function findTotp(db: Handle, userId: string) {
  return db.first(totp, { userId })
}

const putTotp = statement((q, p: AsParams<TotpSecretRow>) =>
  q
    .insertInto('totp_secrets')
    .values(pickParams(p, ['user_id', 'secret', 'confirmed_at', 'used_steps', 'created_at']))
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((e) => ({
        secret: e.ref('excluded.secret'),
        confirmed_at: e.ref('excluded.confirmed_at'),
        used_steps: e.ref('excluded.used_steps'),
        created_at: e.ref('excluded.created_at'),
      })),
    ),
)

/** Inserts the user's secret, or replaces it. Requires the user's lock. */
export async function storeTotp(tx: Tx, row: TotpSecretRow): Promise<void> {
  await tx.run(putTotp, { ...row })
}

const removeTotp = statement((q, p: { userId: string }) =>
  q.deleteFrom('totp_secrets').where('user_id', '=', p.userId),
)

export async function deleteTotp(tx: Tx, userId: string): Promise<void> {
  await tx.run(removeTotp, { userId })
}

type Code = { user_id: string; code_hash: string }
type NewCode = Code & { created_at: number }

const insertCodes = statement((q, p: { codes: NewCode[] }, dialect) => {
  const columns = { user_id: 'text', code_hash: 'text', created_at: 'integer' } as const
  return q
    .insertInto('recovery_codes')
    .columns(['user_id', 'code_hash', 'created_at'])
    .expression(
      q
        .selectFrom(sql<NewCode>`${dialect.rows(p.codes, columns)}`.as('codes'))
        .select(['user_id', 'code_hash', 'created_at']),
    )
})

const removeCodes = statement((q, p: { userId: string }) =>
  q.deleteFrom('recovery_codes').where('user_id', '=', p.userId),
)

/** Replaces all recovery codes of a user. */
export async function replaceCodes(
  tx: Tx,
  userId: string,
  hashes: string[],
  now: number,
): Promise<void> {
  await tx.run(removeCodes, { userId })
  if (hashes.length === 0) return
  await tx.run(insertCodes, {
    codes: hashes.map((code_hash) => ({ user_id: userId, code_hash, created_at: now })),
  })
}

const code = statement((q, p: Code) =>
  q
    .selectFrom('recovery_codes')
    .select('user_id')
    .where('user_id', '=', p.user_id)
    .where('code_hash', '=', p.code_hash),
)

export async function hasCode(db: Handle, user_id: string, code_hash: string): Promise<boolean> {
  return (await db.first(code, { user_id, code_hash })) !== undefined
}

const removeCode = statement((q, p: { user_id: string; code_hash: string }) =>
  q
    .deleteFrom('recovery_codes')
    .where('user_id', '=', p.user_id)
    .where('code_hash', '=', p.code_hash),
)

/** Returns false when the user has no such code. */
export async function deleteCode(tx: Tx, user_id: string, code_hash: string): Promise<boolean> {
  return (await tx.run(removeCode, { user_id, code_hash })) > 0
}

const passkeysOf = statement((q, p: { userId: string }) =>
  q.selectFrom('passkeys').selectAll().where('user_id', '=', p.userId).orderBy('id'),
)

/** Returns passkeys in the order of their creation. */
export function listPasskeysOf(db: Handle, userId: string) {
  return db.all(passkeysOf, { userId })
}

const byCredential = statement((q, p: { credentialId: string }) =>
  q.selectFrom('passkeys').selectAll().where('credential_id', '=', p.credentialId),
)

export function findByCredential(db: Handle, credentialId: string) {
  return db.first(byCredential, { credentialId })
}

const insert = statement((q, p: AsParams<PasskeyRow>) =>
  q
    .insertInto('passkeys')
    .values(
      pickParams(p, [
        'id',
        'user_id',
        'credential_id',
        'public_key',
        'sign_count',
        'transports',
        'name',
        'is_synced',
        'created_at',
        'last_used_at',
      ]),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/** Returns false when the credential is registered already. */
export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<boolean> {
  return (await tx.run(insert, { ...row })) > 0
}

const rename = statement((q, p: { id: string; userId: string; name: string }) =>
  q
    .updateTable('passkeys')
    .set({ name: p.name })
    .where('id', '=', p.id)
    .where('user_id', '=', p.userId)
    .returningAll(),
)

/** Returns undefined when the user has no such passkey. */
export function renamePasskey(tx: Tx, id: string, userId: string, name: string) {
  return tx.first(rename, { id, userId, name })
}

type Use = Pick<PasskeyRow, 'id' | 'sign_count' | 'is_synced' | 'last_used_at'>

const use = statement((q, p: AsParams<Use>) =>
  q
    .updateTable('passkeys')
    .set(pickParams(p, ['sign_count', 'is_synced', 'last_used_at']))
    .where('id', '=', p.id),
)

/** Returns false when the passkey no longer exists. */
export async function updatePasskeyUse(tx: Tx, row: Use): Promise<boolean> {
  return (await tx.run(use, { ...row })) > 0
}

const remove = statement((q, p: { id: string; userId: string }) =>
  q.deleteFrom('passkeys').where('id', '=', p.id).where('user_id', '=', p.userId),
)

/** Returns false when the user has no such passkey. */
export async function deletePasskey(tx: Tx, id: string, userId: string): Promise<boolean> {
  return (await tx.run(remove, { id, userId })) > 0
}

type Since = { userId: string; since: number }

const removePasskeys = statement((q, p: Since) =>
  q.deleteFrom('passkeys').where('user_id', '=', p.userId).where('created_at', '>=', p.since),
)
const removeNewCodes = statement((q, p: Since) =>
  q.deleteFrom('recovery_codes').where('user_id', '=', p.userId).where('created_at', '>=', p.since),
)
const removeNewTotp = statement((q, p: Since) =>
  q
    .deleteFrom('totp_secrets')
    .where('user_id', '=', p.userId)
    .where((e) => e(e.fn.coalesce('confirmed_at', 'created_at'), '>=', p.since)),
)

/** Deletes the rows of factors that were added at or after a time. Requires the user's lock. */
export async function deleteFactorRows(tx: Tx, userId: string, since: number): Promise<void> {
  for (const removal of [removePasskeys, removeNewCodes, removeNewTotp]) {
    await tx.run(removal, { userId, since })
  }
}

const useChallenge = statement((q, p: { challenge: string; expires_at: number }) =>
  q
    .insertInto('used_challenges')
    .values(pickParams(p, ['challenge', 'expires_at']))
    .onConflict((conflict) => conflict.doNothing()),
)

/** Returns false when the challenge was used before. */
export async function insertUsedChallenge(
  tx: Tx,
  challenge: string,
  expires_at: number,
): Promise<boolean> {
  return (await tx.run(useChallenge, { challenge, expires_at })) > 0
}

const removeExpired = statement((q, p: { now: number }) =>
  q
    .deleteFrom('used_challenges')
    .where('challenge', 'in', (e) =>
      e
        .selectFrom('used_challenges')
        .select('challenge')
        .where('expires_at', '<=', p.now)
        .limit(BATCH),
    ),
)

export async function deleteExpiredChallenges(db: Handle, now: number): Promise<void> {
  await inBatches(() => db.run(removeExpired, { now }))
}
