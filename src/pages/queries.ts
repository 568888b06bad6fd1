import type { Handle, Tx } from '../db/handle.ts'
import type { PageRow } from '../db/site-tables.ts'
import { type AsParams, pickParams, statement } from '../db/statement.ts'

const bySlug = statement((q, p: { slug: string }) =>
  q.selectFrom('pages').selectAll().where('slug', '=', p.slug),
)

export function findPage(db: Handle, slug: string) {
  return db.first(bySlug, { slug })
}

const all = statement((q) => q.selectFrom('pages').selectAll().orderBy('slug'))

/** Returns every page, in the order of slugs. */
export function listPages(db: Handle) {
  return db.all(all, {})
}

const total = statement((q) =>
  q.selectFrom('pages').select((e) => e.fn.countAll<number>().as('total')),
)

export async function countPages(db: Handle): Promise<number> {
  return (await db.first(total, {}))?.total ?? 0
}

const put = statement((q, p: AsParams<PageRow>) =>
  q
    .insertInto('pages')
    .values(pickParams(p, ['slug', 'title', 'body', 'revision', 'created_at', 'updated_at']))
    .onConflict((conflict) =>
      conflict.column('slug').doUpdateSet((e) => ({
        title: e.ref('excluded.title'),
        body: e.ref('excluded.body'),
        revision: e.ref('excluded.revision'),
        updated_at: e.ref('excluded.updated_at'),
      })),
    ),
)

export async function putPage(tx: Tx, row: PageRow): Promise<void> {
  await tx.run(put, { ...row })
}

const remove = statement((q, p: { slug: string }) =>
  q.deleteFrom('pages').where('slug', '=', p.slug),
)

export async function deletePageRow(tx: Tx, slug: string): Promise<void> {
  await tx.run(remove, { slug })
}
