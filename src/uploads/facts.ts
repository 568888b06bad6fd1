/**
 * What video and sound tell of themselves. A thread of its own reads it, so that a file made to
 * keep its reader busy, or to fill memory, holds up and fills nothing else.
 */
import { Worker } from 'node:worker_threads'

export interface MediaFacts {
  hasVideo: boolean
  /** Of the first video as it is shown: turned, with square pixels. */
  width: number | null
  height: number | null
  durationMs: number | null
  /** Of the first sound, by its short name such as `aac`; null for an unknown one. */
  audioCodec: string | null
}

/** Milliseconds for one file; no honest one takes a second. */
const FILE_MS = 5000
/** Milliseconds that a file waits for those before it. */
const WAIT_MS = 15_000
/** Milliseconds after which a thread that has nothing to do ends. */
const IDLE_MS = 10_000
const HEAP_MB = 128

export class MediaFactsReader {
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** Null for a file that cannot be read, or not in time. Never rejects. */
  read(localFile: string, mimeType: string): Promise<MediaFacts | null> {
    const asked = Date.now()
    const reading = this.#last.then(() =>
      Date.now() - asked > WAIT_MS ? null : this.#ask({ localFile, mimeType }),
    )
    this.#last = reading
    return reading
  }

  #ask(file: { localFile: string; mimeType: string }): Promise<MediaFacts | null> {
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= this.#start())
    return new Promise((resolve) => {
      const settle = (facts: MediaFacts | null, isGood: boolean) => {
        clearTimeout(timer)
        worker.removeAllListeners()
        if (!isGood) this.#end(worker)
        worker.on('error', () => this.#end(worker))
        this.#idle = setTimeout(() => this.#end(worker), IDLE_MS).unref()
        resolve(facts)
      }
      const timer = setTimeout(() => settle(null, false), FILE_MS)
      worker.removeAllListeners()
      worker.once('message', (facts: MediaFacts | null) => settle(facts, true))
      worker.once('error', () => settle(null, false))
      worker.once('exit', () => settle(null, false))
      worker.postMessage(file)
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('./facts-worker.ts', import.meta.url), {
      // What the library says of a file is nobody's concern.
      stdout: true,
      stderr: true,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    worker.stdout.resume()
    worker.stderr.resume()
    worker.unref()
    return worker
  }

  #end(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined
    void worker.terminate()
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}
