import { useRef } from 'react'
import { newIdempotencyKey } from '#sdk'

/**
 * Returns the same idempotency key for the same text until it is forgotten. A retry after a lost response is
 * then processed only once.
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
