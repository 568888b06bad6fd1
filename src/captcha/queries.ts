import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { BATCH, inBatches } from '../db/batches.ts'
import { pickParams, statement } from '../db/statement.ts'

/** Number of responses revealing an account after which a token becomes invalid. */
const CONFLICTS_MAX = sql.lit(5)

const useSolution = statement((q, p: { signature: string; expires_at: number }) =>
  q
    .insertInto('captcha_solutions')
    .values(pickParams(p, ['signature', 'expires_at']))
    .onConflict((conflict) => conflict.doNothing()),
)

/** Returns false when the challenge was already used. */
export async function insertSolution(tx: Tx, signature: string, expiresAt: number) {
  return (await tx.run(useSolution, { signature, expires_at: expiresAt })) > 0
}

const addToken = statement((q, p: { token_hash: string; expires_at: number }) =>
  q.insertInto('captcha_tokens').values(pickParams(p, ['token_hash', 'expires_at'])),
)

export async function insertToken(tx: Tx, tokenHash: string, expiresAt: number): Promise<void> {
  await tx.run(addToken, { token_hash: tokenHash, expires_at: expiresAt })
}

const findToken = statement((q, p: { tokenHash: string; now: number }) =>
  q
    .selectFrom('captcha_tokens')
    .select('expires_at')
    .where('token_hash', '=', p.tokenHash)
    .where('expires_at', '>', p.now)
    .where('conflicts', '<', CONFLICTS_MAX),
)

export async function isLiveToken(db: Handle, tokenHash: string, now: number): Promise<boolean> {
  return (await db.first(findToken, { tokenHash, now })) !== undefined
}

const useToken = statement((q, p: { tokenHash: string; now: number }) =>
  q
    .deleteFrom('captcha_tokens')
    .where('token_hash', '=', p.tokenHash)
    .where('expires_at', '>', p.now)
    .where('conflicts', '<', CONFLICTS_MAX),
)

/** Returns false when the token is not valid. */
export async function deleteToken(tx: Tx, tokenHash: string, now: number): Promise<boolean> {
  return (await tx.run(useToken, { tokenHash, now })) > 0
}

const conflict = statement((q, p: { tokenHash: string; now: number }) =>
  q
    .updateTable('captcha_tokens')
    .set((e) => ({ conflicts: e('conflicts', '+', 1) }))
    .where('token_hash', '=', p.tokenHash)
    .where('expires_at', '>', p.now)
    .where('conflicts', '<', CONFLICTS_MAX),
)

/** Counts a response that reveals an account. Returns false when the token is not valid. */
export async function addConflict(db: Handle, tokenHash: string, now: number): Promise<boolean> {
  return (await db.run(conflict, { tokenHash, now })) > 0
}

const oldSolutions = statement((q, p: { now: number }) =>
  q
    .deleteFrom('captcha_solutions')
    .where('signature', 'in', (e) =>
      e
        .selectFrom('captcha_solutions')
        .select('signature')
        .where('expires_at', '<=', p.now)
        .limit(BATCH),
    ),
)
const oldTokens = statement((q, p: { now: number }) =>
  q
    .deleteFrom('captcha_tokens')
    .where('token_hash', 'in', (e) =>
      e
        .selectFrom('captcha_tokens')
        .select('token_hash')
        .where('expires_at', '<=', p.now)
        .limit(BATCH),
    ),
)

export async function deleteExpiredCaptchas(db: Handle, now: number): Promise<void> {
  await inBatches(() => db.run(oldSolutions, { now }))
  await inBatches(() => db.run(oldTokens, { now }))
}
