import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import ruffle from '@ruffle-rs/ruffle/package.json' with { type: 'json' }
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { takes } from '../http/encoding.ts'
import { sendFile } from '../http/file.ts'
import { FileReader } from '../storage/reader.ts'
import type { OpenFile } from '../storage/store.ts'
import { FILE_POLICY } from './headers.ts'

/**
 * Path of the Flash player's files. The path contains the version of the player, so browsers may cache the
 * files indefinitely.
 */
export const RUFFLE_PATH = `/players/ruffle-${ruffle.version}/`

const OWN = { folder: join(import.meta.dirname, 'players'), cache: 'no-cache' }
const RUFFLE = {
  folder: dirname(fileURLToPath(import.meta.resolve('@ruffle-rs/ruffle'))),
  cache: 'public, max-age=31536000, immutable',
}
const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  wasm: 'application/wasm',
}
const NAME = /^[\w-][\w.-]*\.(js|css|wasm)$/

const compress = promisify(gzip)

interface Asset {
  type: string
  hash: string
  gzipped: Buffer
}

const assets = new Map<string, Promise<Asset>>()

/** Sends a file from the folder `players`. Errors: 404 ROUTE_NOT_FOUND, 416 RANGE_NOT_SATISFIABLE. */
export function sendOwn(request: FastifyRequest, reply: FastifyReply, name: string) {
  return send(request, reply, { ...OWN, name })
}

/** Sends a file of the Flash player. Errors: 404 ROUTE_NOT_FOUND, 416 RANGE_NOT_SATISFIABLE. */
export function sendRuffle(request: FastifyRequest, reply: FastifyReply, name: string) {
  return send(request, reply, { ...RUFFLE, name })
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { folder, cache, name }: { folder: string; cache: string; name: string },
): Promise<FastifyReply> {
  const file = join(folder, name)
  const { type, hash, gzipped } = await assetAt(file, name)
  const headers = {
    'content-type': type,
    'content-security-policy': FILE_POLICY,
    'cache-control': cache,
    vary: 'Accept-Encoding',
  }
  if (!takes(request, 'gzip')) {
    return sendFile(request, reply, await onDisk(file), { etag: `"${hash}"`, headers })
  }
  return sendFile(request, reply, inMemory(gzipped), {
    etag: `"${hash}-gzip"`,
    headers: { ...headers, 'content-encoding': 'gzip' },
  })
}

function assetAt(file: string, name: string): Promise<Asset> {
  const known = assets.get(file)
  if (known) return known
  const asset = readAsset(file, name)
  assets.set(file, asset)
  asset.catch(() => assets.delete(file))
  return asset
}

async function readAsset(file: string, name: string): Promise<Asset> {
  const type = TYPES[NAME.exec(name)?.[1] ?? '']
  const bytes = type ? await readFile(file).catch(() => undefined) : undefined
  if (!type || !bytes) throw new ApiError('ROUTE_NOT_FOUND')
  const hash = createHash('sha256').update(bytes).digest('base64url')
  return { type, hash, gzipped: await compress(bytes) }
}

async function onDisk(file: string): Promise<OpenFile> {
  const handle = await open(file)
  const { size, mtimeMs } = await handle.stat()
  return {
    sizeBytes: size,
    modifiedAt: mtimeMs,
    read: async (range) => new FileReader(handle, range),
    close: () => handle.close(),
  }
}

function inMemory(bytes: Buffer): OpenFile {
  return {
    sizeBytes: bytes.length,
    modifiedAt: 0,
    read: async ({ start, end }) => bytes.subarray(start, end + 1),
    close: async () => {},
  }
}
