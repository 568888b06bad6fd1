/** Documents the routes that respond without the envelope: files, exports, and the former URLs of games. */
import type { ErrorCode } from '../errors.ts'
import { DEPRECATION, HEADERS, headersOf } from './answers.ts'
import type { Header, Parameter, Response } from './types.ts'

export interface PlainRoute {
  id: string
  method: 'GET' | 'POST'
  /** Path in OpenAPI syntax, with parameters in braces. */
  path: string
  summary: string
  description: string
  tag: string
  deprecated?: true
  parameters: Parameter[]
  /** Responses by status, without those for `errors`. */
  answers: Record<string, Response>
  errors: ErrorCode[]
}

/** Content of a file, which can have any accepted media type. */
const BYTES = { '*/*': { schema: { type: 'string', format: 'binary' } } }
const text = (description: string): Header => ({ description, schema: { type: 'string' } })
const FILE_HEADERS = {
  'X-API-Version': HEADERS['X-API-Version'],
  'X-Request-ID': HEADERS['X-Request-ID'],
  ETag: text('Strong validator of the file'),
  'Cache-Control': text('Long, since the file under a path never changes'),
  'Accept-Ranges': text('`bytes`'),
  'Content-Disposition': text('`attachment` for types that browsers must not display'),
}

const requestHeader = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
  example,
})

const RANGE = requestHeader('Range', 'The bytes to send', 'bytes=0-1023')

const getFile: PlainRoute = {
  id: 'getFile',
  method: 'GET',
  path: '/uploads/{path}',
  summary: 'Read a stored file',
  description:
    'The `url` of an upload, a thumbnail or a rendition leads here. Anyone may read it. The response is the file itself. `Range` accepts one range.',
  tag: 'Uploads',
  parameters: [
    {
      name: 'path',
      in: 'path',
      required: true,
      description: 'The part of a `url` after `/uploads/`. It may contain slashes',
      schema: { type: 'string' },
      example: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef.png',
    },
    RANGE,
    requestHeader('If-Range', 'The `ETag` of the file that the range belongs to', '"5f70bf18.png"'),
    requestHeader('If-None-Match', 'The `ETag` of your cached copy', '"5f70bf18.png"'),
  ],
  answers: {
    200: { description: 'The whole file.', headers: FILE_HEADERS, content: BYTES },
    206: {
      description: 'The requested range.',
      headers: { ...FILE_HEADERS, 'Content-Range': HEADERS['Content-Range'] },
      content: BYTES,
    },
    304: { description: 'Your cached copy is current.', headers: FILE_HEADERS },
  },
  errors: ['UPLOAD_NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
}

const EXPORT_ETAG = '"exp_01kazr4b7ne2w5k9c1vdx8gm3t"'
const EXPORT_HEADERS = {
  ...FILE_HEADERS,
  'Cache-Control': text('`private, no-store`'),
  'Content-Disposition': text('`attachment`'),
}
const ZIP = { 'application/zip': { schema: { type: 'string', format: 'binary' } } }

const getExportFile: PlainRoute = {
  id: 'getExportFile',
  method: 'GET',
  path: '/api/v1/exports/{id}/download',
  summary: 'Download an export',
  description:
    'The `url` of a completed export leads here. Anyone who has it may read the file until it expires. While the user is suspended, the export is missing. The response is the file itself. `Range` accepts one range.',
  tag: 'Me',
  parameters: [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: 'Id of the export',
      schema: { type: 'string' },
      example: 'exp_01kazr4b7ne2w5k9c1vdx8gm3t',
    },
    {
      name: 'token',
      in: 'query',
      required: true,
      description: 'The signature in the `url`',
      schema: { type: 'string' },
      example: 'mi6k2cvk.hZ0mJ3b7Qm4y8vXc1Kp2sTn5rWd6gLfA9uEoYiBzNqM',
    },
    RANGE,
    requestHeader('If-Range', 'The `ETag` of the file that the range belongs to', EXPORT_ETAG),
    requestHeader('If-None-Match', 'The `ETag` of your copy', EXPORT_ETAG),
  ],
  answers: {
    200: { description: 'The whole file.', headers: EXPORT_HEADERS, content: ZIP },
    206: {
      description: 'The requested range.',
      headers: { ...EXPORT_HEADERS, 'Content-Range': HEADERS['Content-Range'] },
      content: ZIP,
    },
    304: { description: 'Your copy is current.', headers: EXPORT_HEADERS },
  },
  errors: [
    'FORBIDDEN',
    'EXPORT_NOT_FOUND',
    'RANGE_NOT_SATISFIABLE',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ],
}

const GAME_ID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the game',
  schema: { type: 'string' },
  example: 'cnt_01kazqjv2gf8k9w3m5xrt7n4de',
}

function former(id: string, method: 'GET' | 'POST', path: string, successor: string): PlainRoute {
  return {
    id,
    method,
    path: `/api/v1/games${path}`,
    summary: `Redirect to \`${method} /api/v1/jump/games${path}\``,
    description: `A former URL. Use \`${successor}\` instead.`,
    tag: 'Games',
    deprecated: true,
    parameters: path === '' ? [] : [GAME_ID],
    answers: {
      308: {
        description: 'Send the same request to `Location`. It keeps the query.',
        headers: {
          ...headersOf(...DEPRECATION),
          Location: text('The URL below `/api/v1/jump/games`'),
        },
      },
      200: { description: `The response of \`${successor}\`, after the redirect.` },
      '4XX': { description: `The failure of \`${successor}\`, after the redirect.` },
    },
    // The error for a URL that is too long to redirect.
    errors: ['GAME_NOT_FOUND'],
  }
}

export const PLAIN_ROUTES: readonly PlainRoute[] = [
  getFile,
  getExportFile,
  former('listGamesFormerly', 'GET', '', 'listGames'),
  former('getGameFormerly', 'GET', '/{id}', 'getGame'),
  former('playGameFormerly', 'POST', '/{id}/play', 'playGame'),
  former('streamGameFormerly', 'POST', '/{id}/stream', 'streamGame'),
  former('getSwfFormerly', 'POST', '/{id}/swf', 'getSwf'),
]
