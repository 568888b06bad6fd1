import { PlazaError } from '#sdk'
import type { texts } from './texts.ts'

type Words = Pick<
  (typeof texts)['ko'],
  'broken' | 'offline' | 'unreachable' | 'othersSession' | 'unexpected'
>

/** An error as a sentence: the server's own where it sent one, else one of this client, in its language. */
export function problemText(error: unknown, t: Words): string {
  if (!(error instanceof PlazaError)) return t.broken
  switch (error.code) {
    case 'NETWORK':
      return navigator.onLine ? t.unreachable : t.offline
    case 'TIMEOUT':
      return t.unreachable
    // What the person ends is told nowhere.
    case 'ABORTED':
      return t.othersSession
    case 'UNEXPECTED_ANSWER':
      return t.unexpected(error.status)
    default:
      return error.message || t.broken
  }
}
