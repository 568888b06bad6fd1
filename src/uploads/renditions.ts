import type { Tx } from '../db/handle.ts'
import type { RenditionRow } from '../db/media-tables.ts'
import { type AsParams, pickParams, statement } from '../db/statement.ts'

const insert = statement((q, p: AsParams<RenditionRow>) =>
  q
    .insertInto('renditions')
    .values(
      pickParams(p, [
        'file_sha256',
        'position',
        'path',
        'mime_type',
        'size_bytes',
        'width',
        'height',
      ]),
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
