import type { Deps, PlazaApi } from '../deps.ts'
import { FORM_OVERHEAD } from '../http/multipart.ts'
import { hasScopes } from '../keys/rules.ts'
import { exampleUpload } from './example.ts'
import { createUpload } from './rules.ts'
import { FILE_FIELD, UploadResult } from './schema.ts'

export function registerUploads(api: PlazaApi): void {
  api.post('/uploads', {
    id: 'createUpload',
    summary: 'Upload a file for content and profiles',
    description:
      'Accepts PNG, JPEG, GIF, WebP, AVIF, MP4, WebM, QuickTime, MP3, Ogg, WAV, FLAC, ZIP (HTML5 games), WebAssembly and SWF. The first bytes of the file determine its type. Other types get `UNSUPPORTED_MEDIA_TYPE`. Metadata is removed from pictures. Retries are safe: identical files are stored once. When the file exceeds your storage quota, the response is `QUOTA_EXCEEDED`. API keys of apps need the scope `contents:write`.',
    tag: 'Uploads',
    auth: {
      mode: 'user-or-key',
      refuse: ({ viewer }) =>
        hasScopes(viewer, ['contents:write']) ? undefined : 'INSUFFICIENT_SCOPE',
    },
    body: {
      field: FILE_FIELD,
      description: 'The file, at most `MAX_UPLOAD_BYTES` long. The default limit is 512 MiB',
      maxBytes: ({ config }: Deps) => config.maxUploadBytes,
    },
    data: UploadResult,
    status: 201,
    errors: ['INSUFFICIENT_SCOPE', 'REQUEST_TIMEOUT', 'QUOTA_EXCEEDED'],
    example: { upload: exampleUpload },
    handler: (call) => {
      const { deps, db, viewer, file } = call
      const leastBytes = Number(call.header('content-length') ?? 0) - FORM_OVERHEAD
      return createUpload(deps, db, viewer, file, leastBytes)
    },
  })
}
