import type { Handle, Tx } from '../db/handle.ts'
import { type AsParams, slots, statement } from '../db/statement.ts'
import type { RenditionRow } from '../db/media-tables.ts'

const file = statement((q, p: { sha256: string }) =>
  q.selectFrom('files').select(['path', 'mime_type']).where('sha256', '=', p.sha256),
)

export function findSource(db: Handle, sha256: string) {
  return db.first(file, { sha256 })
}

const insert = statement((q, p: AsParams<RenditionRow>) =>
  q
    .insertInto('renditions')
    .values(
      slots(p, ['file_sha256', 'position', 'path', 'mime_type', 'size_bytes', 'width', 'height']),
    ),
)

export async function insertRendition(tx: Tx, row: RenditionRow): Promise<void> {
  await tx.run(insert, { ...row })
}

const remove = statement((q, p: { sha256: string }) =>
  q.deleteFrom('renditions').where('file_sha256', '=', p.sha256),
)

export async function deleteRenditions(tx: Tx, sha256: string): Promise<void> {
  await tx.run(remove, { sha256 })
}
