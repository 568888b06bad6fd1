import { type Act, writeAuditEntry } from '../audit/rules.ts'
import { isEmail } from '../auth/schema.ts'
import { type Handle, UniqueViolation } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { BanRow } from '../db/registration-tables.ts'
import {
  deleteBanRow,
  insertBan,
  listBanRows,
  lockBan,
  lockBanOf,
  updateBan,
} from '../admission/ban-queries.ts'
import { containsLoopback, networksOf, parseNetwork } from '../admission/networks.ts'
import { ApiError, invalid } from '../errors.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import { parseTime } from '../http/times.ts'
import { findUser } from '../users/accounts.ts'
import { type BanInput, toBan } from './schema.ts'

/** Returns a page of bans, newest first. */
export async function listBans(db: Handle, page: PageInput) {
  const { rows, total } = await listBanRows(db, offsetOf(page))
  return { bans: rows.map(toBan), pagination: paginationOf(page, total) }
}

/**
 * Bans a mail domain or a network. An existing ban of the value is updated.
 * Errors: 422 on `value` or `until`.
 */
export async function createBan(
  db: Handle,
  act: Act & { actorId: string },
  { kind, value: sent, reason, until }: BanInput,
  ip: string,
  now: number,
) {
  const value = kind === 'network' ? networkOf(sent, ip) : domainOf(sent)
  const ends = typeof until === 'string' ? (parseTime(until) ?? 0) : null
  if (ends !== null && ends <= now) throw invalid('until', 'invalid.past')
  const store = () =>
    db.transaction(async (tx) => {
      const before = await lockBanOf(tx, kind, value)
      const row: BanRow = {
        id: before?.id ?? newId('ban', now),
        kind,
        value,
        reason: reason || null,
        until: ends,
        created_by: before?.created_by ?? act.actorId,
        created_at: before?.created_at ?? now,
      }
      if (before) await updateBan(tx, row)
      else await insertBan(tx, row)
      const change = {
        action: before ? ('ban_changed' as const) : ('ban_created' as const),
        target: { kind: 'ban', id: row.id },
        before: before ? stateOf(before) : null,
        after: stateOf(row),
      }
      await writeAuditEntry(tx, { ...act, reason: row.reason }, change, now)
      const creator = await findUser(tx, row.created_by)
      if (!creator) throw new Error(`the creator of ${row.id} does not exist`)
      return { ban: toBan({ ...creator, ...row }), exists: before !== undefined }
    })
  try {
    return await store()
  } catch (error) {
    // Another request has inserted the same ban.
    if (error instanceof UniqueViolation) return store()
    throw error
  }
}

const stateOf = ({ kind, value, until }: BanRow) => ({ kind, value, until })

/**
 * Returns the network to ban. Errors: 422 on `value` for an invalid network, and for one that contains the
 * actor's address or a loopback address.
 */
function networkOf(text: string, ip: string): string {
  const network = parseNetwork(text)
  if (network === undefined) throw invalid('value', 'invalid.network')
  if (containsLoopback(network) || networksOf(ip).includes(network)) {
    throw invalid('value', 'invalid.own_network')
  }
  return network
}

/** Returns the domain in lower case. Errors: 422 on `value` for an invalid domain. */
function domainOf(text: string): string {
  const domain = text.toLowerCase()
  if (!isEmail(`a@${domain}`)) throw invalid('value', 'invalid.domain')
  return domain
}

/** Removes a ban. Errors: BAN_NOT_FOUND. */
export function deleteBan(db: Handle, act: Act, id: string, now: number): Promise<void> {
  return db.transaction(async (tx) => {
    const row = await lockBan(tx, id)
    if (!row) throw new ApiError('BAN_NOT_FOUND')
    await deleteBanRow(tx, id)
    const change = {
      action: 'ban_removed' as const,
      target: { kind: 'ban', id },
      before: stateOf(row),
      after: null,
    }
    await writeAuditEntry(tx, act, change, now)
  })
}
