import type { Handle, Tx } from '../db/handle.ts'
import { cached, pickParams, statement } from '../db/statement.ts'
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

const locked = statement((q, _p, dialect) => dialect.locked(q.selectFrom('site').selectAll()))

/** Locks the site, which orders all changes by its operators. */
export async function lockSite(tx: Tx): Promise<SiteRow> {
  const found = await tx.first(locked, {})
  if (!found) throw new Error('the database has no row of the site')
  return found
}

type Changed = Pick<SiteRow, 'revision' | 'settings' | 'logo_upload_id' | 'logo_url'>

const update = statement((q, p: Changed) =>
  q.updateTable('site').set(pickParams(p, ['revision', 'settings', 'logo_upload_id', 'logo_url'])),
)

export async function updateSite(tx: Tx, changed: Changed): Promise<void> {
  const { revision, settings, logo_upload_id, logo_url } = changed
  await tx.run(update, { revision, settings, logo_upload_id, logo_url })
}

const rules = statement((q) =>
  q
    .selectFrom('site_rules')
    .select(['id', 'text'])
    .where('position', 'is not', null)
    .orderBy('position'),
)

/** Returns the current rules in their order. */
export function listRules(db: Handle) {
  return db.all(rules, {})
}

const byIds = statement((q, p: { ids: readonly string[] }, dialect) =>
  q.selectFrom('site_rules').select(['id', 'text']).where(dialect.anyOf('id', p.ids)),
)

/** Returns the rules with these ids, also removed ones, in any order. */
export function findRules(db: Handle, ids: readonly string[]) {
  return db.all(byIds, { ids })
}

const put = statement((q, p: { id: string; position: number; text: string; created_at: number }) =>
  q
    .insertInto('site_rules')
    .values(pickParams(p, ['id', 'position', 'text', 'created_at']))
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((e) => ({
        position: e.ref('excluded.position'),
        text: e.ref('excluded.text'),
      })),
    ),
)

const clear = statement((q) => q.updateTable('site_rules').set({ position: null }))

/** Replaces the list of rules. Rules that are not in it are no longer listed, but stay readable by id. */
export async function replaceRules(
  tx: Tx,
  list: readonly { id: string; text: string }[],
  now: number,
): Promise<void> {
  await tx.run(clear, {})
  for (const [position, { id, text }] of list.entries()) {
    await tx.run(put, { id, position, text, created_at: now })
  }
}

const backedUp = statement((q, p: { at: number }) =>
  q.updateTable('site').set({ last_backup_at: p.at }),
)

/** Stores the time of the last complete backup. */
export async function updateLastBackup(db: Handle, at: number): Promise<void> {
  await db.run(backedUp, { at })
}
