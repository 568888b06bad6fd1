import { useRef } from 'react'
import { newIdempotencyKey } from '#sdk'

/**
 * Returns two functions. `target` returns the idempotency key of a text. The key changes only with the text, so that
 * the server does not process a retry twice. `forget` discards the key.
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
