import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { bundlePath } from '../bundles/rules.ts'
import { folderOf } from '../uploads/orphans.ts'
import type { Staging } from '../storage/staging.ts'
import { readAsStream, type Store } from '../storage/store.ts'
import { type Backup, BackupDamaged, type BackupWriter } from './archive.ts'
import type { FilesEntry, Part, TableEntry } from './manifest.ts'

const CONCURRENCY = 8
const LIST_LENGTH = 1000

interface Named {
  path: string
  mime_type: string
}

interface FileEntry extends Named, Omit<Part, 'path'> {}

type OnFile = (done: number) => void

const UNKNOWN_TYPE = 'application/octet-stream'

/**
 * Copies the files that the backed-up rows name, and lists them in the backup. Returns the lists, and the numbers of
 * copied files, copied bytes and missing files.
 */
export async function backUpFiles(
  store: Store,
  writer: BackupWriter,
  tables: readonly TableEntry[],
  onFile: OnFile,
): Promise<FilesEntry> {
  const entry: FilesEntry = { included: true, count: 0, size: 0, missing: 0, lists: [] }
  for await (const named of inGroups(listNamed(store, writer, tables), LIST_LENGTH)) {
    const once = new Map(named.toReversed().map((file) => [file.path, file]))
    const found = await runConcurrently([...once.values()], (file) => copyOut(store, writer, file))
    const files = found.filter((file) => file !== undefined)
    entry.missing += found.length - files.length
    entry.count += files.length
    entry.size += files.reduce((sum, { size }) => sum + size, 0)
    onFile(entry.count)
    if (files.length === 0) continue
    const path = `lists/${String(entry.lists.length + 1).padStart(6, '0')}.zst`
    entry.lists.push(
      await writer.writeLines(
        path,
        files.map((file) => JSON.stringify(file)),
      ),
    )
  }
  return entry
}

/** Copies the files of a backup into the store. Skips files that the store already has. Errors: BackupDamaged. */
export async function restoreFiles(
  { store, staging }: { store: Store; staging: Staging },
  backup: Backup,
  onFile: OnFile,
): Promise<void> {
  let done = 0
  for await (const files of readLists(backup)) {
    await runConcurrently(files, async (file) => {
      if (!(await isStored(store, file))) await copyIn({ store, staging }, backup, file)
      onFile(++done)
    })
  }
}

/** Checks each file's name and size in the backup without reading its content. Errors: BackupDamaged. */
export async function findFiles(backup: Backup): Promise<void> {
  for await (const files of readLists(backup)) {
    await runConcurrently(files, (file) => backup.find(partOf(file)))
  }
}

async function* readLists(backup: Backup): AsyncGenerator<FileEntry[]> {
  for (const list of backup.manifest.files.lists) {
    yield (await backup.readLines(list)).map((line) => JSON.parse(line) as FileEntry)
  }
}

function nameOf(path: string): string {
  return `files/${path}`
}

function partOf(file: FileEntry): Part {
  return { ...file, path: nameOf(file.path) }
}

/** Yields the files that rows name, and all other files in the folders of renditions. Paths can occur twice. */
async function* listNamed(
  store: Store,
  writer: BackupWriter,
  tables: readonly TableEntry[],
): AsyncGenerator<Named> {
  for await (const row of listRows(writer, tables, 'files')) {
    yield { path: String(row['path']), mime_type: String(row['mime_type']) }
    const thumbnail = row['thumbnail_path'] as string | null | undefined
    if (thumbnail) yield { path: thumbnail, mime_type: UNKNOWN_TYPE }
  }
  let folder = ''
  let seen = new Set<string>()
  for await (const row of listRows(writer, tables, 'renditions')) {
    const path = String(row['path'])
    const isNew = folderOf(path) !== folder
    if (isNew) {
      folder = folderOf(path)
      seen = new Set()
    }
    if (!seen.has(path)) yield { path, mime_type: String(row['mime_type']) }
    seen.add(path)
    if (!isNew || folder === path) continue
    for await (const beside of store.list(folder)) {
      if (!seen.has(beside.path)) yield { path: beside.path, mime_type: UNKNOWN_TYPE }
      seen.add(beside.path)
    }
  }
  for await (const row of listRows(writer, tables, 'picture_sizes')) {
    yield { path: String(row['path']), mime_type: String(row['mime_type']) }
  }
  for await (const row of listRows(writer, tables, 'bundle_files')) {
    const path = bundlePath(String(row['bundle_sha256']), Number(row['position']))
    yield { path, mime_type: String(row['mime_type']) }
  }
}

async function* listRows(
  writer: BackupWriter,
  tables: readonly TableEntry[],
  name: string,
): AsyncGenerator<Record<string, unknown>> {
  const table = tables.find((entry) => entry.name === name)
  for (const part of table?.parts ?? []) {
    for (const line of await writer.readLines(part)) {
      const values = JSON.parse(line) as unknown[]
      yield Object.fromEntries(table?.columns.map((column, index) => [column, values[index]]) ?? [])
    }
  }
}

/** Copies a file from the store into the backup. Returns undefined when the store does not have it. */
async function copyOut(
  store: Store,
  writer: BackupWriter,
  { path, mime_type }: Named,
): Promise<FileEntry | undefined> {
  const file = await store.open(path)
  if (!file) return undefined
  const part = await writer.write(nameOf(path), file.sizeBytes, await readAsStream(file))
  return { ...part, path, mime_type }
}

async function copyIn(
  { store, staging }: { store: Store; staging: Staging },
  backup: Backup,
  file: FileEntry,
): Promise<void> {
  const staged = staging.newFile()
  try {
    const hasher = new Hasher()
    const bytes = backup.stream(partOf(file))
    await pipeline(bytes, hasher, createWriteStream(staged, { mode: 0o600 }))
    if (hasher.sha256() !== file.sha256) {
      throw new BackupDamaged(
        `the backup is damaged: ${nameOf(file.path)} has changed since it was written`,
      )
    }
    await store.put(file.path, staged, file.mime_type)
  } finally {
    await rm(staged, { force: true })
  }
}

async function isStored(store: Store, { path, size, sha256 }: FileEntry): Promise<boolean> {
  const file = await store.open(path)
  if (!file) return false
  if (file.sizeBytes !== size) {
    await file.close()
    return false
  }
  const hasher = new Hasher()
  await pipeline(await readAsStream(file), hasher.resume())
  return hasher.sha256() === sha256
}

class Hasher extends Transform {
  readonly #hash = createHash('sha256')

  override _transform(chunk: Buffer, _encoding: string, done: (e: null, data: Buffer) => void) {
    this.#hash.update(chunk)
    done(null, chunk)
  }

  sha256(): string {
    return this.#hash.digest('hex')
  }
}

async function* inGroups<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = []
  for await (const item of items) {
    group.push(item)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

/**
 * Calls `action` for the items concurrently. Returns the results in the order of the items. After an error, starts
 * no further item and throws the error.
 */
async function runConcurrently<T, R>(
  items: readonly T[],
  action: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  let failed = false
  async function take(): Promise<void> {
    for (const [index, item] of waiting) {
      if (failed) return
      try {
        results[index] = await action(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, take))
  const broken = ended.find((entry) => entry.status === 'rejected')
  if (broken) throw broken.reason
  return results
}
