import { randomUUID } from 'node:crypto'
import { constants, existsSync, readdirSync, renameSync, rmSync, type Stats } from 'node:fs'
import {
  access,
  copyFile,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  opendir,
  rename,
  rm,
  statfs,
} from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import {
  type ByteRange,
  checkPath,
  FileMissing,
  isPath,
  type OpenFile,
  readAsStream,
  type Store,
  type StoredFile,
  type TakeBack,
  toStorageError,
} from './store.ts'
import { CHUNK, FileReader, readPiece } from './reader.ts'
import { FolderSyncs, syncFile } from './sync.ts'

/** Flags that neither follow a symbolic link nor block on a named pipe. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** Error codes for a path without a file: the path is missing, is a link or a folder, or leads through a file. */
const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ELOOP', 'EMLINK', 'ENOTDIR', 'EISDIR'])

/** Free bytes below which the disk counts as full. */
const FREE_BYTES_MIN = 1024 * 1024
/** Folder for files during their removal. No stored path can point into it. */
const ASIDE = '.aside'
const DURABLE_MAX = 10_000

export class LocalStore implements Store {
  readonly #folder: string
  readonly #aside: string
  readonly #syncs = new FolderSyncs()
  /** Cache of folders whose creation is known to be synced to the disk. */
  readonly #durable = new Set<string>()

  /** Opens the store in `folder`, which must exist. Restores files whose removal was interrupted by a crash. */
  constructor(folder: string) {
    this.#folder = folder
    this.#aside = join(folder, ASIDE)
    this.#restoreAside()
  }

  async put(path: string, localFile: string): Promise<TakeBack> {
    const target = this.#locate(path)
    try {
      await syncFile(localFile)
      const { ino, mtimeMs } = await lstat(localFile)
      await this.#makeFolder(dirname(target))
      const isNew = await this.#move(localFile, target)
      await this.#syncs.sync(dirname(target))
      return async () => {
        if (!isNew) return
        // Compares the modification time too, because inode numbers are reused.
        await this.#removeIf(path, (found) => found.ino === ino && found.mtimeMs === mtimeMs)
      }
    } catch (error) {
      throw toStorageError(error)
    }
  }

  async find(path: string): Promise<StoredFile | undefined> {
    const file = await this.open(path)
    await file?.close()
    return file && { sizeBytes: file.sizeBytes, modifiedAt: file.modifiedAt }
  }

  async open(path: string): Promise<OpenFile | undefined> {
    let handle: FileHandle | undefined
    try {
      handle = await open(this.#locate(path), READ)
      const stat = await handle.stat()
      if (stat.isFile()) return new OpenLocalFile(handle, stat)
    } catch (error) {
      await handle?.close()
      if (MISSING.has((error as { code?: unknown }).code)) return undefined
      throw error
    }
    await handle.close()
    return undefined
  }

  async read(path: string, range?: ByteRange): Promise<Readable> {
    const file = await this.open(path)
    if (!file) throw new FileMissing(path)
    return readAsStream(file, range)
  }

  async withLocalFile<T>(path: string, use: (localFile: string) => Promise<T>): Promise<T> {
    if (!(await this.find(path))) throw new FileMissing(path)
    return use(this.#locate(path))
  }

  async remove(path: string): Promise<void> {
    await rm(this.#locate(path), { force: true })
  }

  removeOlder(path: string, before: number): Promise<boolean> {
    return this.#removeIf(path, ({ mtimeMs }) => mtimeMs < before)
  }

  async *list(prefix: string): AsyncIterable<StoredFile & { path: string }> {
    const folder = prefix.includes('/') ? dirname(this.#place(`${prefix}x`)) : this.#folder
    for await (const path of this.#walk(folder)) {
      if (!path.startsWith(prefix)) continue
      const found = await lstat(this.#place(path)).catch(unlessMissing)
      if (found?.isFile()) {
        yield { path, sizeBytes: found.size, modifiedAt: Math.floor(found.mtimeMs) }
      }
    }
  }

  async isHealthy(): Promise<boolean> {
    try {
      await access(this.#folder, constants.R_OK | constants.W_OK)
      const { blocks, bavail, bsize } = await statfs(this.#folder)
      // Some file systems report 0 blocks instead of their size.
      return blocks === 0 || bavail * bsize >= FREE_BYTES_MIN
    } catch {
      return false
    }
  }

  async findSpace() {
    const { blocks, bavail, bsize } = await statfs(this.#folder)
    return blocks === 0 ? null : { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
  }

  async close(): Promise<void> {}

  async *#walk(folder: string): AsyncIterable<string> {
    const entries = await opendir(folder).catch(unlessMissing)
    if (!entries) return
    for await (const entry of entries) {
      const place = join(folder, entry.name)
      if (entry.isDirectory()) yield* this.#walk(place)
      else if (entry.isFile()) {
        const path = pathAt(relative(this.#folder, place).split(sep).join('/'))
        if (path !== undefined) yield path
      }
    }
  }

  #locate(path: string): string {
    checkPath(path)
    return this.#place(path)
  }

  #place(path: string): string {
    return join(this.#folder, placeOf(path))
  }

  async #makeFolder(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 })
    const above = foldersBetween(this.#folder, folder)
    if (first !== undefined) for (const made of above) this.#durable.delete(made)
    for (const made of above) {
      if (this.#durable.has(made)) continue
      await this.#syncs.sync(dirname(made))
      if (this.#durable.size >= DURABLE_MAX) this.#durable.clear()
      this.#durable.add(made)
    }
  }

  /**
   * Removes a file that `shouldRemove` accepts, and returns true if it was removed. First moves the file to ASIDE and
   * checks it there, because another process may store it at the same time.
   */
  async #removeIf(path: string, shouldRemove: (found: Stats) => boolean): Promise<boolean> {
    const target = this.#locate(path)
    const aside = join(this.#aside, asideNameOf(path))
    try {
      const found = await lstat(target)
      if (!found.isFile() || !shouldRemove(found)) return false
      await mkdir(this.#aside, { recursive: true, mode: 0o700 })
      await rename(target, aside)
      if (shouldRemove(await lstat(aside))) {
        await rm(aside)
        return true
      }
      // Moves the file back: another process has stored the same bytes again in the meantime.
      await rename(aside, target)
      await this.#syncs.sync(dirname(target))
      return false
    } catch (error) {
      // Another process removed the file first.
      return unlessMissing(error as { code?: unknown }) ?? false
    }
  }

  /**
   * Restores files whose removal was interrupted. If a path has a file again, that file has the same bytes and
   * stays.
   */
  #restoreAside(): void {
    if (!existsSync(this.#aside)) return
    for (const name of readdirSync(this.#aside)) {
      const aside = join(this.#aside, name)
      const path = pathOfAside(name)
      try {
        if (!isPath(path) || existsSync(this.#place(path))) rmSync(aside)
        else renameSync(aside, this.#place(path))
      } catch (error) {
        // Another process moved the file first.
        unlessMissing(error as { code?: unknown })
      }
    }
  }

  /** Moves a file. Returns false when the target may have existed already. */
  async #move(from: string, to: string): Promise<boolean> {
    try {
      // `link` fails when the target exists, but `rename` would replace it.
      await link(from, to)
      await rm(from)
      return true
    } catch {
      await this.#replace(from, to)
      return false
    }
  }

  async #replace(from: string, to: string): Promise<void> {
    try {
      await rename(from, to)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EXDEV') throw error
      const copy = join(dirname(to), `.${randomUUID()}`)
      try {
        await copyFile(from, copy)
        await syncFile(copy)
        await rename(copy, to)
      } catch (failure) {
        await rm(copy, { force: true })
        throw failure
      }
      await rm(from, { force: true })
    }
  }
}

class OpenLocalFile implements OpenFile {
  readonly #handle: FileHandle
  readonly sizeBytes: number
  readonly modifiedAt: number

  constructor(handle: FileHandle, { size, mtimeMs }: Stats) {
    this.#handle = handle
    this.sizeBytes = size
    this.modifiedAt = Math.floor(mtimeMs)
  }

  async read(range: ByteRange): Promise<Buffer | Readable> {
    const length = range.end - range.start + 1
    return length <= CHUNK ? readPiece(this.#handle, range) : new FileReader(this.#handle, range)
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

function foldersBetween(root: string, folder: string): string[] {
  return folder === root ? [] : [...foldersBetween(root, dirname(folder)), folder]
}

/** Returns the location of a path in the folder: `bundles/ab12…/3` is stored at `bundles/ab/ab12…/3`. */
function placeOf(path: string): string {
  return path.replace(/^([a-z]+\/)?([0-9a-f]{2})(?=[0-9a-f]{62})/, '$1$2/$2')
}

/**
 * Returns a file name that encodes the path, so that the next start can move the file back. Paths contain no
 * `+`.
 */
function asideNameOf(path: string): string {
  return `${path.replaceAll('/', '+')}+${randomUUID()}`
}

function pathOfAside(name: string): string {
  return name.slice(0, name.lastIndexOf('+')).replaceAll('+', '/')
}

/** Returns the path whose file is at a location, see `placeOf`. Undefined for other locations. */
function pathAt(place: string): string | undefined {
  const path = place.replace(/^([a-z]+\/)?([0-9a-f]{2})\/(?=\2[0-9a-f]{62})/, '$1')
  return isPath(path) && placeOf(path) === place ? path : undefined
}

function unlessMissing(error: { code?: unknown }): undefined {
  if (!MISSING.has(error.code)) throw error
}
