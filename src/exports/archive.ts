import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import { ZipFile } from 'yazl'
import { getMe } from '../auth/me.ts'
import { iso } from '../clock.ts'
import type { Handle } from '../db/handle.ts'
import type { Viewer } from '../http/auth.ts'
import { type Language, message } from '../messages/language.ts'
import { extensionOf } from '../storage/file-types.ts'
import type { Store } from '../storage/store.ts'
import type { StorageQuota } from '../uploads/quota.ts'
import { VERSION } from '../package.ts'
import { listUploadsOf } from './own-queries.ts'
import { SECTIONS } from './sections.ts'

const FORMAT = 1
const PER_PAGE = 100

export interface ArchiveOptions {
  db: Handle
  store: Store
  quota: StorageQuota
  viewer: Viewer
  language: Language
  withFiles: boolean
  now: number
  signal: AbortSignal
  progress(share: number): void
}

/** Writes a user's data to the ZIP file `localFile`, as a stream. */
export async function writeArchive(localFile: string, options: ArchiveOptions): Promise<void> {
  const { db, store, quota, viewer, language, withFiles, now, signal, progress } = options
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  // Makes the pipeline fail, for example when a stored file cannot be read.
  const fail = (error: Error) => void output.destroy(error)
  zip.on('error', fail)
  let current: Readable | undefined
  output.on('close', () => current?.destroy())
  const mtime = new Date(now)
  const add = (name: string, read: () => Readable | Promise<Readable>, compress = true) => {
    const open = async () => {
      current = await read()
      // The ZIP writer does not handle errors of these streams.
      return current.on('error', fail)
    }
    zip.addReadStreamLazy(name, { mtime, compress }, callbackify(open))
  }
  const text = (value: string) => Readable.from([Buffer.from(value)])
  const counts: Record<string, number> = {}
  const names = Object.keys(SECTIONS)

  async function* lines(name: string) {
    counts[name] = 0
    const section = SECTIONS[name]
    if (!section) return
    for await (const record of section(db, viewer, language)) {
      signal.throwIfAborted()
      counts[name]++
      yield `${JSON.stringify(record)}\n`
    }
    progress(Object.keys(counts).length / (names.length + 1))
  }

  add('account.json', async () =>
    text(`${JSON.stringify((await getMe(db, quota, viewer)).user, null, 2)}\n`),
  )
  for (const name of names) add(`${name}.jsonl`, () => Readable.from(lines(name)))
  if (withFiles) {
    for await (const { path, name } of listFiles(db, viewer.id)) {
      // Adds an empty entry for a file that the store lacks.
      add(name, async () => ((await store.find(path)) ? store.read(path) : text('')), false)
    }
  }
  // The counts are complete when these entries are written, because entries are written in order.
  add('manifest.json', () => text(`${JSON.stringify(manifestOf(options, counts), null, 2)}\n`))
  add('index.html', () => text(indexOf(options, counts)))
  zip.end()
  await pipeline(output, createWriteStream(localFile, { mode: 0o600 }), { signal })
}

async function* listFiles(db: Handle, userId: string) {
  const seen = new Set<string>()
  for (let after = ''; ; ) {
    const rows = await listUploadsOf(db, { userId, after, limit: PER_PAGE })
    for (const { file_sha256, path, mime_type, is_blocked } of rows) {
      if (is_blocked || seen.has(file_sha256)) continue
      seen.add(file_sha256)
      yield { path, name: `files/${file_sha256}.${extensionOf(mime_type)}` }
    }
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

function manifestOf(
  { viewer, withFiles, now }: ArchiveOptions,
  counts: Record<string, number>,
): object {
  return {
    format: FORMAT,
    plaza: VERSION,
    exported_at: iso(now),
    user: { id: viewer.id, handle: viewer.handle },
    with_files: withFiles,
    lists: Object.entries(counts).map(([name, records]) => ({ file: `${name}.jsonl`, records })),
  }
}

function indexOf(
  { viewer, language, now }: ArchiveOptions,
  counts: Record<string, number>,
): string {
  const title = message(language, 'export.title', { handle: viewer.handle })
  const rows = Object.entries(counts).map(
    ([name, records]) => `<li><a href="${name}.jsonl">${name}.jsonl</a>: ${records}</li>`,
  )
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<title>${title}</title>
<h1>${title}</h1>
<p>${message(language, 'export.about')} <time>${iso(now)}</time></p>
<ul>
<li><a href="account.json">account.json</a></li>
${rows.join('\n')}
</ul>
</html>
`
}
