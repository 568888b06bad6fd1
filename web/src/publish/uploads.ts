import { type Upload, type UploadOptions, isPlazaError } from '#sdk'
import { createStore } from '../device/store.ts'
import { isKind, type Kind, kindOf, type Refusal } from './content.ts'

type State =
  | 'waiting'
  | 'sending'
  /** The connection has failed. The next attempt starts automatically. */
  | 'retrying'
  | 'done'
  | 'failed'
  | 'stopped'
  /** Only in a restored draft: the page was closed before the upload was complete. */
  | 'unfinished'
  /** Only in a restored draft: the server has deleted the unused upload. */
  | 'gone'

/** Data that a draft stores about a file. */
export interface KeptFile {
  name: string
  size: number
  kind: Kind
  /** Null until the file is uploaded, and after the server has deleted the unused upload. */
  upload: Upload | null
}

export interface Entry extends KeptFile {
  key: number
  /** Local file. Null for entries that are restored from a draft, which stores only the upload. */
  file: File | null
  preview: string | null
  state: State
  sent: number
  total: number
  /** Bytes per second. Undefined until measured. */
  speed: number | undefined
  error: unknown
}

interface Refused {
  key: number
  name: string
  why: Refusal
}

export interface Snapshot {
  entries: readonly Entry[]
  refused: readonly Refused[]
}

type Send = (file: File, options: UploadOptions) => Promise<Upload>

interface Options {
  send: Send
  /** Resolves when the next attempt may start. `failed` is the number of failed attempts. */
  pause: (failed: number, signal: AbortSignal) => Promise<void>
  exists: (upload: Upload) => Promise<boolean>
}

const AT_ONCE = 2
const ATTEMPTS = 6

export class UploadQueue {
  readonly store = createStore<Snapshot>({ entries: [], refused: [] })
  readonly #options: Options
  readonly #running = new Map<number, AbortController>()
  #made = 0

  constructor(options: Options) {
    this.#options = options
  }

  get snapshot(): Snapshot {
    return this.store.get()
  }

  add(files: Iterable<File>, kinds?: readonly Kind[]): void {
    const entries: Entry[] = []
    const refused: Refused[] = []
    for (const file of files) {
      const kind = kindOf(file)
      const key = ++this.#made
      const isTaken = isKind(kind) && (kinds?.includes(kind) ?? true)
      if (isTaken) entries.push(newEntry(key, file, kind))
      else refused.push({ key, name: file.name, why: isKind(kind) ? 'other' : kind })
    }
    this.store.set({ entries: [...this.snapshot.entries, ...entries], refused })
    this.#next()
  }

  restore(files: readonly KeptFile[]): void {
    const entries = files.map((cached) => restoredEntry(++this.#made, cached))
    this.store.set({ ...this.snapshot, entries: [...this.snapshot.entries, ...entries] })
    for (const { key, upload } of entries) {
      if (!upload) continue
      void this.#options.exists(upload).then((exists) => {
        if (!exists) this.#change(key, { state: 'gone', upload: null, preview: null })
      })
    }
  }

  stop(key: number): void {
    this.#running.get(key)?.abort()
    this.#change(key, { state: 'stopped', sent: 0 })
  }

  retry(key: number): void {
    this.#change(key, { state: 'waiting', sent: 0, error: null })
    this.#next()
  }

  remove(key: number): void {
    this.#running.get(key)?.abort()
    const entry = this.snapshot.entries.find((file) => file.key === key)
    if (entry?.preview) URL.revokeObjectURL(entry.preview)
    const entries = this.snapshot.entries.filter((file) => file.key !== key)
    this.store.set({ ...this.snapshot, entries })
  }

  move(key: number, by: -1 | 1): void {
    const entries = [...this.snapshot.entries]
    const index = entries.findIndex((entry) => entry.key === key)
    const [moved, replaced] = [entries[index], entries[index + by]]
    if (!moved || !replaced) return
    entries[index] = replaced
    entries[index + by] = moved
    this.store.set({ ...this.snapshot, entries })
  }

  clear(): void {
    for (const { key } of this.snapshot.entries) this.remove(key)
    this.store.set({ entries: [], refused: [] })
  }

  #next(): void {
    for (const { key, file, state } of this.snapshot.entries) {
      if (this.#running.size >= AT_ONCE) return
      if (state === 'waiting' && file) void this.#run(key, file)
    }
  }

  async #run(key: number, file: File): Promise<void> {
    const controller = new AbortController()
    this.#running.set(key, controller)
    try {
      const upload = await this.#attempt(key, file, controller.signal)
      this.#change(key, { state: 'done', upload })
    } catch (error) {
      // Cancelled and removed files already have their final states.
      if (!controller.signal.aborted) this.#change(key, { state: 'failed', error })
    } finally {
      if (this.#running.get(key) === controller) this.#running.delete(key)
      this.#next()
    }
  }

  /** Uploads a file. Retries after network errors a limited number of times. Throws other errors immediately. */
  async #attempt(key: number, file: File, signal: AbortSignal): Promise<Upload> {
    for (let failed = 0; ; ) {
      this.#change(key, { state: 'sending', sent: 0, speed: undefined })
      const meter = new SpeedMeter()
      const onProgress = (progress: { sent: number; total: number }) => {
        this.#change(key, { ...progress, speed: meter.note(progress.sent, performance.now()) })
      }
      try {
        return await this.#options.send(file, { signal, onProgress })
      } catch (error) {
        failed += 1
        if (!isPlazaError(error, 'NETWORK') || signal.aborted || failed === ATTEMPTS) throw error
      }
      this.#change(key, { state: 'retrying', sent: 0 })
      await this.#options.pause(failed, signal)
    }
  }

  #change(key: number, change: Partial<Entry>): void {
    const entries = this.snapshot.entries.map((entry) =>
      entry.key === key ? { ...entry, ...change } : entry,
    )
    this.store.set({ ...this.snapshot, entries })
  }
}

function newEntry(key: number, file: File, kind: Kind): Entry {
  const { name, size } = file
  const preview = isShown(kind) ? URL.createObjectURL(file) : null
  return entryOf({ name, size, kind, upload: null }, { key, file, preview, state: 'waiting' })
}

function restoredEntry(key: number, kept: KeptFile): Entry {
  const preview = kept.upload && isShown(kept.kind) ? kept.upload.url : null
  return entryOf(kept, { key, file: null, preview, state: kept.upload ? 'done' : 'unfinished' })
}

function entryOf(kept: KeptFile, own: Pick<Entry, 'key' | 'file' | 'preview' | 'state'>): Entry {
  return { ...keptOf(kept), ...own, sent: 0, total: kept.size, speed: undefined, error: null }
}

const UNDER_WAY = ['waiting', 'sending', 'retrying']

export function isUnderWay(entries: readonly Entry[]): boolean {
  return entries.some(({ state }) => UNDER_WAY.includes(state))
}

function isShown(kind: Kind): boolean {
  return kind === 'picture' || kind === 'video'
}

export function keptOf({ name, size, kind, upload }: KeptFile): KeptFile {
  return { name, size, kind, upload }
}

/** Minimum milliseconds between two measurements of the speed. */
const SPAN_MS = 1000
/** Weight of a new measurement in the moving average of the speed. */
const WEIGHT = 0.3

/** Measures the speed of an upload in bytes per second, smoothed for display. */
export class SpeedMeter {
  #measuredAt: number | undefined
  #sent = 0
  #speed: number | undefined

  /**
   * Returns the speed in bytes per second, or undefined during the first second. `sent`: bytes sent so far. `now`: time
   * in milliseconds.
   */
  note(sent: number, now: number): number | undefined {
    if (this.#measuredAt === undefined) {
      this.#measuredAt = now
      this.#sent = sent
      return undefined
    }
    const passed = now - this.#measuredAt
    if (passed < SPAN_MS) return this.#speed
    const measured = ((sent - this.#sent) / passed) * 1000
    this.#speed =
      this.#speed === undefined ? measured : measured * WEIGHT + this.#speed * (1 - WEIGHT)
    this.#measuredAt = now
    this.#sent = sent
    return this.#speed
  }
}
