import type { Tx } from '../db/handle.ts'
import { deleteRows, insertRow } from '../db/rows.ts'
import type { RenditionRow } from '../db/media-tables.ts'

export async function insertRendition(tx: Tx, row: RenditionRow): Promise<void> {
  await insertRow(tx, 'renditions', row)
}

export async function deleteRenditions(tx: Tx, sha256: string): Promise<void> {
  await deleteRows(tx, 'renditions', { file_sha256: sha256 })
}
