import { useRef } from 'react'
import { newIdempotencyKey } from '#sdk'

/**
 * Returns functions for an idempotency key that stays the same for the same text until `forget` is called. A
 * retry after a lost response is then not processed twice.
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
