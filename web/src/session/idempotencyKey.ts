import { useRef } from 'react'
import { newIdempotencyKey } from '#sdk'

/**
 * A key for what is sent: the same text gets the same one, so that where an answer was lost it is still
 * done once. Once it is forgotten, the same text is meant anew.
 */
export function useIdempotencyKey() {
  const last = useRef({ text: '', key: '' })
  return {
    of: (text: string): string => {
      if (last.current.text !== text) last.current = { text, key: newIdempotencyKey() }
      return last.current.key
    },
    forget: () => {
      last.current = { text: '', key: '' }
    },
  }
}
