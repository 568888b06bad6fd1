import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

const CODINGS = { br: '.br', gzip: '.gz' } as const
export type Coding = keyof typeof CODINGS

export interface ClientFile {
  type: string
  /** Hash of the bytes before compression. */
  hash: string
  bytes: Buffer
  coded: Partial<Record<Coding, Buffer>>
}

/**
 * Files of the web client by URL path, without files of unknown types. They are held in memory, so that all belong to
 * one build even when the folder changes.
 */
export type ClientFiles = ReadonlyMap<string, ClientFile>

export async function readFiles(folder: string): Promise<ClientFiles> {
  const names = new Set(await readdir(folder, { recursive: true }))
  const files = new Map<string, ClientFile>()
  const read = async (name: string, type: string) => {
    const bytes = await readFile(join(folder, name))
    const coded: ClientFile['coded'] = {}
    for (const coding of Object.keys(CODINGS) as Coding[]) {
      const compressedName = name + CODINGS[coding]
      if (names.has(compressedName)) coded[coding] = await readFile(join(folder, compressedName))
    }
    const file = { type, hash: hash('sha256', bytes, 'base64url'), bytes, coded }
    files.set(`/${name.split(sep).join('/')}`, file)
  }
  await Promise.all(
    [...names].map(async (name) => {
      const type = TYPES[extname(name)]
      if (type) await read(name, type)
    }),
  )
  return files
}
