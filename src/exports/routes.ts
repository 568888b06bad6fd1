import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Handle } from '../db/handle.ts'
import { isId } from '../db/ids.ts'
import { ApiError } from '../errors.ts'
import { type PasswordTools, provePassword } from '../factors/confirm.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { sendFile } from '../http/file.ts'
import type { Api } from '../http/route.ts'
import type { Store } from '../storage/store.ts'
import { isGoodToken } from './links.ts'
import { isServed } from './queries.ts'
import { createExport, deleteExport, listExports, pathOf } from './rules.ts'
import { ExportInput, ExportResult, Exports } from './schema.ts'

const example = {
  id: 'exp_01kazr4b7ne2w5k9c1vdx8gm3t',
  status: 'queued',
  with_files: true,
  size_bytes: null,
  url: null,
  error: null,
  created_at: '2026-11-21T09:30:00.000Z',
  expires_at: null,
}
const tag = 'Me'

export interface ExportDeps extends CoreDeps, PasswordTools {
  config: { tokenSecret: string }
}

export function registerExports(api: Api<ExportDeps>): void {
  api.post('/exports', {
    id: 'createExport',
    summary: 'Export your data as a ZIP file',
    description:
      'You may have one unfinished export, and create one a day. Failed and deleted exports do not count.',
    tag,
    auth: 'user',
    body: ExportInput,
    data: ExportResult,
    status: 202,
    errors: ['LIMIT_REACHED', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
    example: { export: example },
    handler: {
      before: ({ deps, viewer, body, now }) =>
        provePassword(deps.db, deps, viewer, body.current_password, now),
      first: ({ deps, db, viewer, body, now, language }, proof) =>
        createExport(db, deps.config, viewer, body, proof, { now, language }),
    },
  })

  api.get('/exports', {
    id: 'listExports',
    summary: 'List your newest 20 exports',
    tag,
    auth: 'user',
    indexes: ['exports_by_user'],
    data: Exports,
    example: { exports: [example] },
    handler: ({ deps, db, viewer, now, language }) =>
      listExports(db, deps.config, viewer, { now, language }),
  })

  api.delete('/exports/:id', {
    id: 'deleteExport',
    summary: 'Delete an export, or cancel it',
    tag,
    auth: 'user',
    params: { id: { id: 'exp', missing: 'EXPORT_NOT_FOUND', only: 'owner' } },
    errors: ['EXPORT_NOT_FOUND'],
    handler: ({ db, viewer, params, now }) => deleteExport(db, viewer, params.id, now),
  })
}

interface Options {
  db: Handle
  store: Store
  config: { tokenSecret: string }
  now: () => number
}

interface Asked {
  Params: { id: string }
  Querystring: { token?: unknown }
}

/**
 * Registers the signed download, whose response has no envelope. Errors: 403 FORBIDDEN; 404 EXPORT_NOT_FOUND,
 * also while the user is suspended; 416 RANGE_NOT_SATISFIABLE.
 */
export function registerExportFiles(
  app: FastifyInstance,
  { db, store, config, now }: Options,
): void {
  const send = async (request: FastifyRequest<Asked>, reply: FastifyReply) => {
    const { id } = request.params
    const { token } = request.query
    const isGood = typeof token === 'string' && isId('exp', id)
    if (!isGood || !isGoodToken(config, id, token, now())) throw new ApiError('FORBIDDEN')
    const file = (await isServed(db, id)) ? await store.open(pathOf(id)) : undefined
    if (!file) throw new ApiError('EXPORT_NOT_FOUND')
    const headers = {
      'x-api-version': 'v1',
      'x-request-id': request.id,
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${id}.zip"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    }
    return sendFile(request, reply, file, { etag: `"${id}"`, headers })
  }
  app.route({ method: ['GET', 'HEAD'], url: '/api/v1/exports/:id/download', handler: send })
}
