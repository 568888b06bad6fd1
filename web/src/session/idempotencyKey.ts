import { useRef } from 'react'
import { newIdempotencyKey } from '#sdk'

/**
 * Returns two functions. `target` returns the idempotency key of a text. A retry of the same text has the same key, so
 * the server does not process it twice. `forget` discards the key.
 */
export function useIdempotencyKey() {
  const last = useRef({ text: '', key: '' })
  return {
    target: (text: string): string => {
      if (last.current.text !== text) last.current = { text, key: newIdempotencyKey() }
      return last.current.key
    },
    forget: () => {
      last.current = { text: '', key: '' }
    },
  }
}
