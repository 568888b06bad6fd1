import { useEffect, useEffectEvent } from 'react'

const TYPING = 'input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]'
const OTHERS = '[role=dialog], [role=menu], [role=listbox], [role=tablist], [data-own-keys]'
const PRESSED_BY_SPACE = 'button, a, summary, input, [role=button]'

export function isTyping(target: Element | null): boolean {
  return target?.matches(TYPING) ?? false
}

/**
 * Returns the name of the pressed key, with letters in lower case. For a letter of another script, returns the Latin
 * letter of the same key.
 */
function meantBy({ key, code }: KeyboardEvent): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  const [, latin] = /^Key([A-Z])$/.exec(code) ?? []
  // While an input method composes text, the browser reports `Process` instead of the key.
  return latin && (key === 'Process' || /^\p{L}$/u.test(key)) ? latin.toLowerCase() : key
}

/**
 * Calls `act` for pressed keys. `act` returns true if it handles the key. Skips keys with Ctrl, Alt or Meta, keys in
 * dialogs, text fields and other elements with their own keys such as menus, and Space on a button or link.
 */
export function useKeys(act: (key: string, isHeld: boolean) => boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target instanceof Element ? event.target : null
    if (target?.closest(`${TYPING}, ${OTHERS}`)) return
    if (event.key === ' ' && target?.closest(PRESSED_BY_SPACE)) return
    if (act(meantBy(event), event.repeat)) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
