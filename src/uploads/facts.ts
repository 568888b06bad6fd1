/**
 * Reads the dimensions, duration and audio codec of video and audio files. A child process parses them, so that
 * a malicious file cannot use much of the server's time or memory.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { STRIP_TYPES } from '../package.ts'
import { killGroup } from '../jobs/program.ts'

export interface MediaFacts {
  hasVideo: boolean
  /** Size in pixels at which players display the primary video track: after rotation, with square pixels. */
  width: number | null
  height: number | null
  durationMs: number | null
  /**
   * Short name of the primary audio track's codec, such as `aac`. Null without an audio track or for an unknown
   * codec.
   */
  audioCodec: string | null
}

/** Milliseconds for the first attempt to read a file. Valid files need far less. */
const FIRST_MS = 1000
/** Milliseconds for the second attempt. It is longer, because the first may have failed on a busy machine. */
const AGAIN_MS = 5000
const WAIT_MS = 60_000
const START_MS = 15_000
const IDLE_MS = 10_000
const HEAP_MB = 128
/**
 * Maximum CPU seconds of one child process, for all its files together. The operating system enforces the
 * limit, even after the server was killed.
 */
const CPU_S = 60

const WORKER = fileURLToPath(new URL('./facts-worker.ts', import.meta.url))

interface File {
  localFile: string
  mimeType: string
}

interface Turn {
  file: File
  asked: number
  resolve(facts: MediaFacts | null): void
}

/**
 * Reads the media facts of one file at a time. If a file times out or crashes the child process, it gets a second,
 * longer attempt after the first attempts of all waiting files.
 */
export class MediaFactsReader {
  readonly #first: Turn[] = []
  readonly #again: Turn[] = []
  #isBusy = false
  #isClosed = false
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined

  /** Returns the facts of a file, or null when the file is invalid or cannot be read in time. Never rejects. */
  read(localFile: string, mimeType: string): Promise<MediaFacts | null> {
    return new Promise((resolve) => {
      this.#first.push({ file: { localFile, mimeType }, asked: performance.now(), resolve })
      if (!this.#isBusy) void this.#action()
    })
  }

  async #action(): Promise<void> {
    this.#isBusy = true
    clearTimeout(this.#idle)
    for (;;) {
      const first = this.#first.shift()
      const turn = first ?? this.#again.shift()
      if (!turn) break
      const isLate = performance.now() - turn.asked > WAIT_MS
      const facts =
        this.#isClosed || isLate ? null : await this.#ask(turn.file, first ? FIRST_MS : AGAIN_MS)
      if (facts === undefined && first) this.#again.push(turn)
      else turn.resolve(facts ?? null)
    }
    this.#isBusy = false
    this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref()
  }

  /**
   * Returns the facts of a file, or null for an invalid file. Returns undefined when the child process exits. Kills a
   * child process that does not respond in time, and returns undefined.
   */
  async #ask(file: File, ms: number): Promise<MediaFacts | null | undefined> {
    let child = this.#child
    if (!child) {
      child = this.#child = start()
      // Waits for the ready message, so that starting the process does not count as parsing time.
      if ((await answerOf(child, START_MS)) === undefined) return this.#end()
    }
    child.send(file, () => {})
    const facts = await answerOf(child, ms)
    return facts === undefined ? this.#end() : (facts as MediaFacts | null)
  }

  #end(): undefined {
    const child = this.#child
    this.#child = undefined
    if (child) killGroup(child)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    this.#end()
  }
}

function start(): ChildProcess {
  const limited = `ulimit -c 0; ulimit -t ${CPU_S}; exec "$@"`
  const node = [process.execPath, `--max-old-space-size=${HEAP_MB}`, ...STRIP_TYPES, WORKER]
  const child = spawn('/bin/sh', ['-c', limited, 'limited', ...node], {
    // Creates a process group, so that Ctrl-C in a terminal does not end the child. The child exits when the
    // channel to the server closes.
    detached: true,
    // Discards messages that the library prints.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
  })
  // Sending to an exited process emits `error`. `answerOf` handles the event only while it waits, and without
  // any listener the event would crash the server.
  child.on('error', () => {})
  child.unref()
  child.channel?.unref()
  return child
}

/** Returns the next message of the child process, or undefined when it exits or sends nothing in time. */
function answerOf(child: ChildProcess, ms: number): Promise<unknown> {
  return new Promise((resolve) => {
    const finish = (answer: unknown) => {
      clearTimeout(timer)
      child.off('message', finish).off('exit', gone).off('error', gone)
      resolve(answer)
    }
    const gone = () => finish(undefined)
    const timer = setTimeout(gone, ms)
    child.on('message', finish).on('exit', gone).on('error', gone)
    if (child.exitCode !== null || child.signalCode !== null) gone()
  })
}
