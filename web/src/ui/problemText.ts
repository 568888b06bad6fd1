import { PlazaError } from '#sdk'
import type { texts } from './texts.ts'

type Words = Pick<
  (typeof texts)['ko'],
  'broken' | 'offline' | 'unreachable' | 'othersSession' | 'unexpected'
>

export function problemText(error: unknown, t: Words): string {
  if (!(error instanceof PlazaError)) return t.broken
  switch (error.code) {
    case 'NETWORK':
      return navigator.onLine ? t.unreachable : t.offline
    case 'TIMEOUT':
      return t.unreachable
    // Pages show this error only when another user has signed in.
    case 'ABORTED':
      return t.othersSession
    case 'UNEXPECTED_ANSWER':
      return t.unexpected(error.status)
    default:
      return error.message || t.broken
  }
}

/** Returns the text about a failed action, with the server's message if the server rejected the request. */
export function undoneText(error: unknown, t: (typeof texts)['ko']): string {
  const isRefused = error instanceof PlazaError && error.status >= 400 && error.status < 500
  return isRefused ? t.undoneSince(problemText(error, t)) : t.undone
}
