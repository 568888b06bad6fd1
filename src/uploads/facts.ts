/**
 * What video and sound tell of themselves. A process of its own reads it, so that a file made to
 * keep its reader busy, or to fill memory, holds up and ends nothing else.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { killGroup } from '../jobs/program.ts'

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
const FIRST_MS = 1000
/** The same for one that was late, or whose reader ended: a busy machine may have been the reason. */
const AGAIN_MS = 5000
/** Milliseconds that a file waits for others before it is given up. */
const WAIT_MS = 60_000
/** Milliseconds for a process to start. */
const START_MS = 15_000
/** Milliseconds after which a process that has nothing to do ends. */
const IDLE_MS = 10_000
const HEAP_MB = 128
/** Of processor time, over all files of one process: it stays no longer, even where the server is killed. */
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
 * Asks one process for one file after another. A file that is late waits for its second turn until
 * all others have had their first, so that many bad ones do not hold up a good one for long.
 */
export class MediaFactsReader {
  readonly #first: Turn[] = []
  readonly #again: Turn[] = []
  #isBusy = false
  #isClosed = false
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined

  /** Null for a file that cannot be read, or not in time. Never rejects. */
  read(localFile: string, mimeType: string): Promise<MediaFacts | null> {
    return new Promise((resolve) => {
      this.#first.push({ file: { localFile, mimeType }, asked: performance.now(), resolve })
      if (!this.#isBusy) void this.#work()
    })
  }

  async #work(): Promise<void> {
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

  /** Undefined where nothing was said in time; whoever did not is gone then. */
  async #ask(file: File, ms: number): Promise<MediaFacts | null | undefined> {
    let child = this.#child
    if (!child) {
      child = this.#child = start()
      // It says so when it is ready: what a busy machine takes to start it is not the file's time.
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
  const node = [process.execPath, `--max-old-space-size=${HEAP_MB}`, WORKER]
  const child = spawn('/bin/sh', ['-c', limited, 'limited', ...node], {
    // A group of its own: a terminal's Ctrl-C does not reach it. It ends by itself when the channel does.
    detached: true,
    // What the library says of a file is nobody's concern.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
  })
  // One that ended cannot be told anything, which whoever waits for its answer learns.
  child.on('error', () => {})
  child.unref()
  child.channel?.unref()
  return child
}

/** What it says next; undefined where it ended, or says nothing in time. */
function answerOf(child: ChildProcess, ms: number): Promise<unknown> {
  return new Promise((resolve) => {
    const settle = (answer: unknown) => {
      clearTimeout(timer)
      child.off('message', settle).off('exit', gone).off('error', gone)
      resolve(answer)
    }
    const gone = () => settle(undefined)
    const timer = setTimeout(gone, ms)
    child.on('message', settle).on('exit', gone).on('error', gone)
    if (child.exitCode !== null || child.signalCode !== null) gone()
  })
}
