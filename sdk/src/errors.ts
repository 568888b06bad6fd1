import type { ErrorCode } from './generated.ts'

/**
 * Error codes of the client itself.
 *
 * - NETWORK: no response arrived.
 * - TIMEOUT: the call exceeded its time limit.
 * - ABORTED: the call's signal aborted, or another user signed in during the call.
 * - UNEXPECTED_ANSWER: the response does not have Plaza's format.
 */
export type ClientCode = 'NETWORK' | 'TIMEOUT' | 'ABORTED' | 'UNEXPECTED_ANSWER'

/** Invalid field of a rejected input. */
export interface ErrorDetail {
  /** Path of the invalid input field, such as `redirect_uris.1`. */
  field: string
  /** Reason to show to users, in the language of the call. */
  message: string
}

interface Facts {
  status?: number
  details?: ErrorDetail[]
  requestId?: string | null
  retryAfter?: number | null
  cause?: unknown
}

/**
 * Error of a failed call. Use `code` in conditions, and show `message` to users. Messages are in the language of the
 * call, or in English for the client's own codes.
 */
export class PlazaError extends Error {
  override readonly name = 'PlazaError'
  /** Error code. Later servers may add codes. */
  readonly code: ErrorCode | ClientCode | (string & {})
  /** HTTP status, or 0 when no response arrived. */
  readonly status: number
  /** Invalid input fields of a rejected request, usually with the code `VALIDATION_ERROR`. Empty for other errors. */
  readonly details: ErrorDetail[]
  /** Id of the request in the server's log. Null when no response from Plaza arrived. */
  readonly requestId: string | null
  /** Seconds to wait before the next attempt. Null without a valid `Retry-After` header. */
  readonly retryAfter: number | null

  constructor(code: PlazaError['code'], message: string, facts: Facts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = code
    this.status = facts.status ?? 0
    this.details = facts.details ?? []
    this.requestId = facts.requestId ?? null
    this.retryAfter = facts.retryAfter ?? null
  }
}

/** Returns true when `error` is a PlazaError and, if `code` is given, has that code. */
export function isPlazaError<Code extends ErrorCode | ClientCode>(
  error: unknown,
  code?: Code,
): error is PlazaError & { code: Code } {
  return error instanceof PlazaError && (code === undefined || error.code === code)
}

export function aborted(signal: AbortSignal): PlazaError {
  return new PlazaError('ABORTED', 'The call was aborted.', { cause: signal.reason })
}

export function unreachable(cause?: unknown): PlazaError {
  return new PlazaError('NETWORK', 'The server could not be reached.', { cause })
}
