/**
 * How long the body of a request may take: half a minute for all of it, unless a route expects a
 * long one, which may take as long as it keeps coming. Node's own limit knows one time for all.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

export interface ArrivalLimits {
  /** Milliseconds for the whole of a body, or for what is left of one that nobody reads. */
  wholeMs: number
  /** Of a body that is expected to be long, this many bytes must come in every such time. */
  windowMs: number
  windowBytes: number
}

export const ARRIVAL_LIMITS: ArrivalLimits = {
  wholeMs: 30_000,
  windowMs: 30_000,
  windowBytes: 64 * 1024,
}

/** Watches one body until it is here or the connection is gone. */
export class Arrival {
  readonly #request: IncomingMessage
  /** Kept, for a request that is destroyed has none. */
  readonly #socket: Socket
  readonly #limits: ArrivalLimits
  readonly #onLate: () => void
  /** In place of `#onLate` while a long body is expected. */
  #onLongLate: (() => void) | undefined
  #timer: NodeJS.Timeout

  /** `onLate` answers a caller who took too long, or hangs up. */
  constructor(request: IncomingMessage, limits: ArrivalLimits, onLate: () => void) {
    this.#request = request
    this.#socket = request.socket
    this.#limits = limits
    this.#onLate = onLate
    this.#timer = this.#expectWhole()
    // Nothing came for as long as a connection may be silent: else Node hangs up without an answer.
    request.on('timeout', () => this.#heedSilence())
    request.once('close', () => clearTimeout(this.#timer))
  }

  /** From now on the body may take long while it keeps coming; `onLate` in place of the first one. */
  expectLong(onLate: () => void): void {
    clearTimeout(this.#timer)
    this.#onLongLate = onLate
    let before = this.#socket.bytesRead
    this.#timer = setInterval(() => {
      const came = this.#socket.bytesRead - before
      before = this.#socket.bytesRead
      // A body that waits for this server is not late.
      if (came >= this.#limits.windowBytes || this.#request.isPaused()) return
      if (!this.#request.complete) onLate()
    }, this.#limits.windowMs).unref()
  }

  /** What is left of the body is not wanted, and has the time of a short one. */
  expectEnd(): void {
    clearTimeout(this.#timer)
    this.#onLongLate = undefined
    if (!this.#request.complete) this.#timer = this.#expectWhole()
  }

  #heedSilence(): void {
    // As above: it is this server that is waited for.
    if (this.#request.isPaused()) this.#socket.setTimeout(this.#socket.timeout ?? 0)
    else (this.#onLongLate ?? this.#onLate)()
  }

  #expectWhole(): NodeJS.Timeout {
    return setTimeout(() => {
      if (!this.#request.complete) this.#onLate()
    }, this.#limits.wholeMs).unref()
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}
