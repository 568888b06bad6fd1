import type { Deps, PlazaApi } from '../deps.ts'
import { FORM_OVERHEAD } from '../http/multipart.ts'
import { hasScopes } from '../keys/rules.ts'
import { exampleUpload } from './example.ts'
import { createUpload } from './rules.ts'
import { FILE_FIELD, UploadResult } from './schema.ts'

export function registerUploads(api: PlazaApi): void {
  api.post('/uploads', {
    id: 'createUpload',
    summary: 'Store a file, to be named in works and profiles',
    description:
      'Takes PNG, JPEG, GIF, WebP, AVIF, MP4, WebM, QuickTime, MP3, Ogg, WAV, FLAC, ZIP (HTML5 games), WebAssembly and SWF, told by their leading bytes; all else is `UNSUPPORTED_MEDIA_TYPE`. Pictures lose their metadata and keep their looks. The same file may be sent again: it is stored once, so a retry is safe. With the storage quota used up the answer is `QUOTA_EXCEEDED`. An API key of an app needs the scope `contents:write`.',
    tag: 'Uploads',
    auth: 'user-or-key',
    file: {
      name: FILE_FIELD,
      description: 'At most `MAX_UPLOAD_BYTES`, 512 MiB unless the operator says otherwise',
      maxBytes: ({ config }: Deps) => config.maxUploadBytes,
    },
    closed: (_deps, viewer) =>
      hasScopes(viewer, ['contents:write']) ? undefined : 'INSUFFICIENT_SCOPE',
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
