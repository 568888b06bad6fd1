import { type ErrorDetail, PlazaError } from './errors.ts'

export interface Answer {
  status: number
  text: string
  header(name: string): string | null
}

interface Envelope {
  success?: unknown
  data?: unknown
  error?: { code?: unknown; message?: unknown; details?: ErrorDetail[] }
  meta?: { request_id?: unknown }
}

/**
 * Returns `data` of a successful response, or undefined for 204. Otherwise throws a PlazaError with the API's error
 * code, or UNEXPECTED_ANSWER without Plaza's envelope.
 */
export function dataOf(answer: Answer): unknown {
  const { status, text } = answer
  if (status === 204) return undefined
  const envelope = parse(text)
  const isGood = status >= 200 && status < 300
  if (isGood && envelope?.success === true && 'data' in envelope) return envelope.data
  throw errorOf(answer, envelope)
}

function errorOf(answer: Answer, envelope: Envelope | undefined): PlazaError {
  const { error, meta } = envelope ?? {}
  const { status } = answer
  const requestId = meta?.request_id ?? answer.header('x-request-id')
  const facts = {
    status,
    requestId: typeof requestId === 'string' ? requestId : null,
    retryAfter: retryAfterOf(answer),
  }
  if (typeof error?.code !== 'string') {
    return new PlazaError(
      'UNEXPECTED_ANSWER',
      `The response (${status}) did not come from Plaza.`,
      facts,
    )
  }
  const details = Array.isArray(error.details) ? error.details : []
  return new PlazaError(error.code, String(error.message ?? error.code), { ...facts, details })
}

function parse(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns `Retry-After` in seconds, or null if it is missing or invalid. Some proxies send a date as its value. */
function retryAfterOf({ header }: Answer): number | null {
  const value = header('retry-after')
  if (!value) return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}
