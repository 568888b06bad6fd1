import type { ErrorCode } from './generated.ts'

/** What the client itself finds out, in place of a code of the API. */
export type ClientCode = 'NETWORK' | 'TIMEOUT' | 'ABORTED' | 'UNEXPECTED_ANSWER'

export interface ErrorDetail {
  /** A path such as `redirect_uris.1` */
  field: string
  message: string
}

interface Facts {
  status?: number
  details?: ErrorDetail[]
  requestId?: string | null
  retryAfter?: number | null
  cause?: unknown
}

/** A call that failed. Decide by `code`; `message` is for people, in the language of the call. */
export class PlazaError extends Error {
  override readonly name = 'PlazaError'
  /** Codes may be added by later servers. */
  readonly code: ErrorCode | ClientCode | (string & {})
  /** Of the answer; 0 where there was none. */
  readonly status: number
  /** With `VALIDATION_ERROR`: every field that is wrong. */
  readonly details: ErrorDetail[]
  /** Names the request in the server's log. */
  readonly requestId: string | null
  /** After so many seconds the server asks to be tried again. */
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

/** Whether this is a failed call; with a code, whether it failed for that reason. */
export function isPlazaError<Code extends ErrorCode | ClientCode>(
  error: unknown,
  code?: Code,
): error is PlazaError & { code: Code } {
  return error instanceof PlazaError && (code === undefined || error.code === code)
}

/** `signal` ended the call. */
export function aborted(signal: AbortSignal): PlazaError {
  return new PlazaError('ABORTED', 'The call was aborted.', { cause: signal.reason })
}

/** There was no answer. */
export function unreachable(cause?: unknown): PlazaError {
  return new PlazaError('NETWORK', 'The server could not be reached.', { cause })
}
