import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Handle } from '../db/handle.ts'
import { sendFile } from '../http/file.ts'
import { findSite } from '../settings/queries.ts'
import { servedAs } from '../storage/file-types.ts'
import type { Store } from '../storage/store.ts'
import { isAnyBlocked } from '../uploads/queries.ts'

const UPLOADS = '/uploads/'

/**
 * Sends the logo of the site as its icon, in the format of the logo. Browsers ignore the ending `.ico`. Returns
 * undefined when the site has no logo, or when the file of the logo is missing, blocked or of a type that browsers
 * only download.
 */
export async function sendLogo(
  { db, store }: { db: Handle; store: Store },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { logo_url } = await findSite(db)
  const path = logo_url?.startsWith(UPLOADS) ? logo_url.slice(UPLOADS.length) : undefined
  const served = path === undefined ? undefined : servedAs(path)
  if (path === undefined || !served?.isShown) return undefined
  if (await isAnyBlocked(db, [path.slice(0, 64)])) return undefined
  const file = await store.open(path)
  if (!file) return undefined
  const headers = {
    'content-type': served.type,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'public, max-age=86400',
  }
  return sendFile(request, reply, file, { etag: `"${path}"`, headers })
}
