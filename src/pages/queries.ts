import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows, findRow, countRows, listRows, putRow } from '../db/rows.ts'
import type { PageRow } from '../db/site-tables.ts'

export function findPage(db: Handle, slug: string) {
  return findRow(db, 'pages', { slug })
}

/** Returns every page, in the order of slugs. */
export function listPages(db: Handle) {
  return listRows(db, 'pages', {}, { by: 'slug' })
}

export function countPages(db: Handle): Promise<number> {
  return countRows(db, 'pages', {})
}

export async function putPage(tx: Tx, row: PageRow): Promise<void> {
  await putRow(tx, 'pages', ['slug'], row)
}

export async function deletePageRow(tx: Tx, slug: string): Promise<void> {
  await deleteRows(tx, 'pages', { slug })
}
