/**
 * Limits how long a request body may take. A body has 30 seconds, unless its route expects a long
 * upload, which may continue as long as data keeps arriving. Node's own timeout is the same for all
 * requests.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

export interface BodyTimeoutLimits {
  /** Milliseconds for a whole body, or for the rest of a body that is discarded. */
  wholeMs: number
  /** A long body must deliver `windowBytes` in every period of this many milliseconds. */
  windowMs: number
  windowBytes: number
}

export const BODY_TIMEOUT_LIMITS: BodyTimeoutLimits = {
  wholeMs: 30_000,
  windowMs: 30_000,
  windowBytes: 64 * 1024,
}

/** Watches one body until it is complete or its connection is closed. */
export class BodyTimeout {
  readonly #request: IncomingMessage
  /** Stored, because a destroyed request no longer has its socket. */
  readonly #socket: Socket
  readonly #limits: BodyTimeoutLimits
  readonly #onLate: () => void
  /** Replaces `#onLate` while a long body is expected. */
  #onLongLate: (() => void) | undefined
  #timer: NodeJS.Timeout

  /** `onLate` must answer the client or close the connection. */
  constructor(request: IncomingMessage, limits: BodyTimeoutLimits, onLate: () => void) {
    this.#request = request
    this.#socket = request.socket
    this.#limits = limits
    this.#onLate = onLate
    this.#timer = this.#expectWhole()
    // Without this listener Node closes a silent connection without an answer.
    request.on('timeout', () => this.#heedSilence())
    request.once('close', () => clearTimeout(this.#timer))
  }

  /** Allows a long body while data keeps arriving, and calls this `onLate` instead of the first one. */
  expectLong(onLate: () => void): void {
    clearTimeout(this.#timer)
    this.#onLongLate = onLate
    let before = this.#socket.bytesRead
    this.#timer = setInterval(() => {
      const came = this.#socket.bytesRead - before
      before = this.#socket.bytesRead
      // A paused request waits for this server, so the client is not late.
      if (came >= this.#limits.windowBytes || this.#request.isPaused()) return
      if (!this.#request.complete) onLate()
    }, this.#limits.windowMs).unref()
  }

  /** Limits the rest of the body, which is discarded, to the time of a short one. */
  expectEnd(): void {
    clearTimeout(this.#timer)
    this.#onLongLate = undefined
    if (!this.#request.complete) this.#timer = this.#expectWhole()
  }

  #heedSilence(): void {
    // A paused request waits for this server, so the silence is not the client's fault.
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
