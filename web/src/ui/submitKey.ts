import type { KeyboardEvent } from 'react'

/** Control or Command with Enter sends what is written, but not while a syllable is being composed. */
export function isSubmitKey({ key, ctrlKey, metaKey, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey) && !nativeEvent.isComposing
}
