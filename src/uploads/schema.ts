import { type Static, Type } from 'typebox'
import { BundleInfo } from '../bundles/schema.ts'
import { iso } from '../clock.ts'
import type { FileRow, UploadRow } from '../db/media-tables.ts'
import { integerOrNull, time } from '../http/fields.ts'

/** The field of the form that holds the file. */
export const FILE_FIELD = 'file'

const Upload = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'On this server: anybody may read it there' }),
    mime_type: Type.String({ description: 'Told by the leading bytes' }),
    size_bytes: Type.Integer({ description: 'Of the file as it is stored and served' }),
    sha256: Type.String({ description: 'Of the file as it is stored and served, in hex' }),
    width: integerOrNull(),
    height: integerOrNull(),
    duration_ms: integerOrNull(),
    created_at: time(),
    bundle: Type.Union([BundleInfo, Type.Null()], { description: 'Of a game file; else null' }),
  },
  { title: 'Upload' },
)

export const UploadResult = Type.Object({ upload: Upload })

/** Where a stored file is served. */
export function urlOf(path: string): string {
  return `/uploads/${path}`
}

export function toUpload(
  upload: UploadRow,
  file: FileRow,
  bundle: Static<typeof BundleInfo> | null,
) {
  return {
    id: upload.id,
    url: urlOf(file.path),
    mime_type: file.mime_type,
    size_bytes: file.size_bytes,
    sha256: file.sha256,
    width: file.width,
    height: file.height,
    duration_ms: file.duration_ms,
    created_at: iso(upload.created_at),
    bundle,
  }
}
