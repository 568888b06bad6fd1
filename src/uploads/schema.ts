import { type Static, Type } from 'typebox'
import { BundleInfo } from '../bundles/schema.ts'
import { iso } from '../clock.ts'
import type { FileRow, UploadRow } from '../db/media-tables.ts'
import { integerOrNull, time } from '../http/fields.ts'

export const FILE_FIELD = 'file'

const Upload = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'Path on this server, where anyone may read the file' }),
    mime_type: Type.String({ description: 'Determined from the first bytes of the file' }),
    size_bytes: Type.Integer({ description: 'Size of the stored file' }),
    sha256: Type.String({ description: 'SHA-256 of the stored file, in hexadecimal' }),
    width: integerOrNull(),
    height: integerOrNull(),
    duration_ms: integerOrNull(),
    created_at: time(),
    bundle: Type.Union([BundleInfo, Type.Null()], {
      description: 'Only for game files, otherwise null',
    }),
  },
  { title: 'Upload' },
)

export const UploadResult = Type.Object({ upload: Upload })

export function urlOf(path: string): string {
  return `/uploads/${path}`
}

export function toUpload(
  upload: Pick<UploadRow, 'id' | 'created_at'>,
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
