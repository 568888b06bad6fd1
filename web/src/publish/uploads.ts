/** Files on their way to the server, two at a time, in the order their work will have them. */
import type { Upload, UploadOptions } from '#sdk'
import { isKind, type Kind, kindOf, type Refusal } from './kinds.ts'

export interface Entry {
  key: number
  file: File
  kind: Kind
  /** Of a picture or video; shown before the server has it. */
  preview: string | null
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'stopped'
  sent: number
  total: number
  upload: Upload | null
  error: unknown
}

interface Refused {
  key: number
  name: string
  why: Refusal
}

export interface Snapshot {
  entries: readonly Entry[]
  /** What was given last and is not even sent. */
  refused: readonly Refused[]
}

type Send = (file: File, options: UploadOptions) => Promise<Upload>

const AT_ONCE = 2

export class UploadQueue {
  snapshot: Snapshot = { entries: [], refused: [] }
  readonly #send: Send
  readonly #listeners = new Set<() => void>()
  readonly #running = new Map<number, AbortController>()
  #made = 0

  constructor(send: Send) {
    this.#send = send
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
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
    this.#set({ entries: [...this.snapshot.entries, ...entries], refused })
    this.#next()
  }

  /** Stops sending; it can be sent again. */
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
    const entry = this.snapshot.entries.find((one) => one.key === key)
    if (entry?.preview) URL.revokeObjectURL(entry.preview)
    const entries = this.snapshot.entries.filter((one) => one.key !== key)
    this.#set({ ...this.snapshot, entries })
  }

  /** Exchanges a file with its neighbour. */
  move(key: number, by: -1 | 1): void {
    const entries = [...this.snapshot.entries]
    const at = entries.findIndex((entry) => entry.key === key)
    const [moved, other] = [entries[at], entries[at + by]]
    if (!moved || !other) return
    entries[at] = other
    entries[at + by] = moved
    this.#set({ ...this.snapshot, entries })
  }

  clear(): void {
    for (const { key } of this.snapshot.entries) this.remove(key)
    this.#set({ entries: [], refused: [] })
  }

  #next(): void {
    for (const entry of this.snapshot.entries) {
      if (this.#running.size >= AT_ONCE) return
      if (entry.state === 'waiting') void this.#run(entry)
    }
  }

  async #run({ key, file }: Entry): Promise<void> {
    const controller = new AbortController()
    this.#running.set(key, controller)
    this.#change(key, { state: 'sending' })
    try {
      const { signal } = controller
      const onProgress = (progress: { sent: number; total: number }) => this.#change(key, progress)
      const upload = await this.#send(file, { signal, onProgress })
      this.#change(key, { state: 'done', upload })
    } catch (error) {
      // What was stopped or removed says so already.
      if (!controller.signal.aborted) this.#change(key, { state: 'failed', error })
    } finally {
      if (this.#running.get(key) === controller) this.#running.delete(key)
      this.#next()
    }
  }

  #change(key: number, change: Partial<Entry>): void {
    const entries = this.snapshot.entries.map((entry) =>
      entry.key === key ? { ...entry, ...change } : entry,
    )
    this.#set({ ...this.snapshot, entries })
  }

  #set(snapshot: Snapshot): void {
    this.snapshot = snapshot
    for (const listener of this.#listeners) listener()
  }
}

function newEntry(key: number, file: File, kind: Kind): Entry {
  const preview = kind === 'picture' || kind === 'video' ? URL.createObjectURL(file) : null
  const state = 'waiting'
  return { key, file, kind, preview, state, sent: 0, total: file.size, upload: null, error: null }
}
