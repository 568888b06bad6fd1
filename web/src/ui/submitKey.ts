import type { KeyboardEvent } from 'react'

/** True for Ctrl+Enter or Command+Enter, except while an input method composes text. */
export function isSubmitKey({ key, ctrlKey, metaKey, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey) && !nativeEvent.isComposing
}
