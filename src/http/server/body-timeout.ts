import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

export interface BodyTimeoutLimits {
  wholeMs: number
  /** Length of a period in milliseconds. A long body must deliver at least `windowBytes` in each period. */
  windowMs: number
  windowBytes: number
}

export const BODY_TIMEOUT_LIMITS: BodyTimeoutLimits = {
  wholeMs: 30_000,
  windowMs: 30_000,
  windowBytes: 64 * 1024,
}

/**
 * Limits the time for receiving a request body to `wholeMs`. After `expectLong`, a body may take longer if at least
 * `windowBytes` arrive in each period of `windowMs`. Node's own timeout cannot differ between routes.
 */
export class BodyTimeout {
  readonly #request: IncomingMessage
  /** Stored separately, because a destroyed request loses its socket. */
  readonly #socket: Socket
  readonly #limits: BodyTimeoutLimits
  readonly #onLate: () => void
  #onLongLate: (() => void) | undefined
  #timer: NodeJS.Timeout

  /** Calls `onLate` when the body is late. `onLate` must send a response or close the connection. */
  constructor(request: IncomingMessage, limits: BodyTimeoutLimits, onLate: () => void) {
    this.#request = request
    this.#socket = request.socket
    this.#limits = limits
    this.#onLate = onLate
    this.#timer = this.#expectWhole()
    // Without this listener Node closes a silent connection without a response.
    request.on('timeout', () => this.#heedSilence())
    request.once('close', () => clearTimeout(this.#timer))
  }

  /** Switches to the limits of a long body. This `onLate` replaces the constructor's. */
  expectLong(onLate: () => void): void {
    clearTimeout(this.#timer)
    this.#onLongLate = onLate
    let before = this.#socket.bytesRead
    this.#timer = setInterval(() => {
      const came = this.#socket.bytesRead - before
      before = this.#socket.bytesRead
      // A paused request means that the server reads slowly, so the client is not late.
      if (came >= this.#limits.windowBytes || this.#request.isPaused()) return
      if (!this.#request.complete) onLate()
    }, this.#limits.windowMs).unref()
  }

  /** Limits the time for the remainder of the body, which is discarded, to `wholeMs`. */
  expectEnd(): void {
    clearTimeout(this.#timer)
    this.#onLongLate = undefined
    if (!this.#request.complete) this.#timer = this.#expectWhole()
  }

  #heedSilence(): void {
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
