import type { Config } from '../config.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { FORM_OVERHEAD } from '../http/multipart.ts'
import type { Api } from '../http/route.ts'
import { hasScopes } from '../keys/rules.ts'
import { createUpload, type UploadDeps } from './rules.ts'
import { FILE_FIELD, UploadResult } from './schema.ts'

const sha256 = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c'

const exampleUpload = {
  id: 'upl_01kazqkz4rf0trp3v9c2xw7e8n',
  url: `/uploads/${sha256}.mp4`,
  mime_type: 'video/mp4',
  size_bytes: 18_734_112,
  sha256,
  width: 1080,
  height: 1920,
  duration_ms: 24_360,
  created_at: '2026-11-21T08:40:52.016Z',
  bundle: null,
}

export interface UploadsDeps extends CoreDeps, UploadDeps {
  config: Pick<Config, 'maxUploadBytes' | 'tokenSecret'>
}

export function registerUploads(api: Api<UploadsDeps>): void {
  api.post('/uploads', {
    id: 'createUpload',
    summary: 'Upload a file for content and profiles',
    description:
      'Accepts PNG, JPEG, GIF, WebP, AVIF, MP4, WebM, QuickTime, MP3, Ogg, WAV, FLAC, ZIP (HTML5 games), WebAssembly and SWF. The first bytes of the file determine its type. Metadata is removed from pictures. Identical files are stored once. API keys of apps need the scope `contents:write`.',
    tag: 'Uploads',
    auth: {
      mode: 'user-or-key',
      refuse: ({ viewer }) =>
        hasScopes(viewer, ['contents:write']) ? undefined : 'INSUFFICIENT_SCOPE',
    },
    body: {
      field: FILE_FIELD,
      description: 'The file, at most `MAX_UPLOAD_BYTES` long. The default limit is 512 MiB',
      maxBytes: ({ config }: UploadsDeps) => config.maxUploadBytes,
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
