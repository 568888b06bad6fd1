import { useRef } from 'react'
import { newIdempotencyKey } from '#sdk'

/**
 * Returns `target`, which returns the idempotency key of a text, and `forget`. The key stays the same until the text
 * changes or `forget` is called, so that the server does not process a retry twice.
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
