import { type Static, Type } from 'typebox'
import { iso, isoOrNull } from '../clock.ts'
import type { ExportRow } from '../db/erasure-tables.ts'
import { choice, exact, integerOrNull, textOrNull, time, timeOrNull } from '../http/fields.ts'
import { jobErrorText } from '../jobs/rules.ts'
import type { Language } from '../messages/language.ts'

const Export = Type.Object(
  {
    id: Type.String(),
    status: choice(['queued', 'processing', 'completed', 'failed', 'expired']),
    with_files: Type.Boolean(),
    size_bytes: integerOrNull(),
    url: textOrNull({
      description: 'Signed address of the ZIP file; null unless the status is `completed`',
    }),
    error: textOrNull({ description: 'Reason for the failure, in the language of the request' }),
    created_at: time(),
    expires_at: timeOrNull(),
  },
  { title: 'Export' },
)
export type ExportRecord = Static<typeof Export>

export const ExportResult = Type.Object({ export: Export })
export const Exports = Type.Object({ exports: Type.Array(Export) })

export const ExportInput = Type.Object(
  {
    current_password: exact(Type.String({ maxLength: 1000 })),
    with_files: Type.Optional(Type.Boolean({ description: 'Adds the uploaded files' })),
  },
  { examples: [{ current_password: 'a long walk by the river', with_files: true }] },
)

export function toExport(
  row: ExportRow,
  { url, now, language }: { url: string; now: number; language: Language },
): ExportRecord {
  const hasEnded = row.status === 'completed' && (row.expires_at ?? 0) <= now
  const status = hasEnded ? 'expired' : row.status
  return {
    id: row.id,
    status,
    with_files: row.with_files === 1,
    size_bytes: row.size_bytes,
    url: status === 'completed' ? url : null,
    error: jobErrorText(row, language),
    created_at: iso(row.created_at),
    expires_at: isoOrNull(row.expires_at),
  }
}
