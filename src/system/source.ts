/**
 * Serves the source code of this installation. The AGPL (section 13) requires operators who change Plaza to
 * offer the changed source to all users.
 */
import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { BLOCK, padded, writeHeader } from '../backup/tar.ts'
import { standardHeaders } from '../http/envelope.ts'
import { matchesEtag } from '../http/etag.ts'
import { VERSION } from '../package.ts'

const ROOT = join(import.meta.dirname, '../..')
const NAME = `plaza-${VERSION}`
/**
 * Folders in the archive: those needed to build, run and change Plaza. The list omits deploy/, where operators may
 * store passwords.
 */
const FOLDERS = ['bin', 'scripts', 'sdk', 'src', 'web']
const FILES = ['LICENSE', 'openapi.json', 'package-lock.json', 'package.json', 'tsconfig.json']
const LEFT_OUT = /^(?:\..*|node_modules|dist|.*\.(?:env|log|tgz))$/
/** Unix time in seconds of 1980-01-01. A fixed modification time lets all processes serve the same bytes. */
const TIME = 315_532_800
const compress = promisify(gzip)

interface SourceDeps {
  /** Address of the source code. Undefined when this server sends an archive instead. */
  sourceUrl: string | undefined
  now: () => number
}

export function registerSource(app: FastifyInstance, { sourceUrl, now }: SourceDeps): void {
  let cached: Promise<{ bytes: Buffer; etag: string }> | undefined
  app.get('/source', async (request, reply) => {
    reply.headers(standardHeaders({ requestId: request.id, language: 'en' }, now()))
    if (sourceUrl !== undefined) return reply.redirect(sourceUrl, 302)
    cached ??= packSource()
    cached.catch(() => (cached = undefined))
    const { bytes, etag } = await cached
    reply.header('etag', etag).header('cache-control', 'public, no-cache')
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply
      .header('content-disposition', `attachment; filename="${NAME}.tar.gz"`)
      .type('application/gzip')
      .send(bytes)
  })
}

/**
 * Returns the source code as a compressed tar archive, with its ETag. Skips files that are missing from this
 * installation.
 */
async function packSource(): Promise<{ bytes: Buffer; etag: string }> {
  const blocks: Buffer[] = []
  for (const path of await listSource()) {
    const bytes = await readFile(join(ROOT, path))
    const name = `${NAME}/${path}`
    const filled = Buffer.concat([bytes], padded(bytes.length))
    blocks.push(writeHeader({ name, size: bytes.length }, TIME), filled)
  }
  blocks.push(Buffer.alloc(2 * BLOCK))
  const bytes = await compress(Buffer.concat(blocks))
  return { bytes, etag: `"${hash('sha256', bytes, 'base64url')}"` }
}

async function listSource(): Promise<string[]> {
  const present = new Set(await readdir(ROOT))
  const lists = await Promise.all(FOLDERS.filter((name) => present.has(name)).map(listFolder))
  return [...FILES.filter((name) => present.has(name)), ...lists.flat()].sort()
}

async function listFolder(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true })
  const wanted = entries.filter(({ name }) => !LEFT_OUT.test(name))
  const lists = wanted.map(async (entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return listFolder(path)
    return entry.isFile() ? [path] : []
  })
  return (await Promise.all(lists)).flat()
}
