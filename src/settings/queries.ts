import { findRowLocked, insertRow, listRows, updateRows } from '../db/rows.ts'
import { notNull } from '../db/conditions.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { cached, statement } from '../db/statement.ts'
import type { SiteRow } from '../db/site-tables.ts'

const row = cached(
  ['site'],
  statement((q) => q.selectFrom('site').selectAll()),
)

/** Returns the row of the site. Changes by other processes are visible to the next request. */
export async function findSite(db: Handle): Promise<Readonly<SiteRow>> {
  const found = await db.first(row, {})
  if (!found) throw new Error('the database has no row of the site')
  return found
}

/** Locks and returns the row of the site. With this lock, changes of the site run one after the other. */
export async function lockSite(tx: Tx): Promise<SiteRow> {
  const found = await findRowLocked(tx, 'site', {})
  if (!found) throw new Error('the database has no row of the site')
  return found
}

type Changed = Pick<SiteRow, 'revision' | 'settings' | 'logo_upload_id' | 'logo_url'>

export async function updateSite(tx: Tx, changed: Changed): Promise<void> {
  const { revision, settings, logo_upload_id, logo_url } = changed
  await updateRows(tx, 'site', {}, { revision, settings, logo_upload_id, logo_url })
}

/** Returns the current rules in their order. */
export function listRules(db: Handle) {
  return listRows(db, 'site_rules', { position: notNull }, { by: 'position' })
}

/** Returns the rules with these ids, also removed ones, in any order. */
export function findRules(db: Handle, ids: readonly string[]) {
  return listRows(db, 'site_rules', { id: ids })
}

/** Replaces the list of rules. Rules that are not in the new list are no longer listed, but stay readable by id. */
export async function replaceRules(
  tx: Tx,
  list: readonly { id: string; text: string }[],
  now: number,
): Promise<void> {
  await updateRows(tx, 'site_rules', {}, { position: null })
  for (const [position, { id, text }] of list.entries()) {
    const rule = { id, position, text, created_at: now }
    if (!(await updateRows(tx, 'site_rules', { id }, { position, text }))) {
      await insertRow(tx, 'site_rules', rule)
    }
  }
}

/** Stores the time of the last complete backup. */
export async function updateLastBackup(db: Handle, time: number): Promise<void> {
  await updateRows(db, 'site', {}, { last_backup_at: time })
}
