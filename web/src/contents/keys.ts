/** Shortcuts of a page: for keys that nothing else on it takes. */
import { useEffect, useEffectEvent } from 'react'

const TYPING = 'input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]'
const OTHERS = '[role=dialog], [role=menu], [role=listbox], [role=tablist], [data-own-keys]'
const PRESSED_BY_SPACE = 'button, a, summary, input, [role=button]'

/**
 * The key that is meant: a letter in lower case whatever Shift and Caps Lock say, and in a layout of
 * another script the Latin letter of its place.
 */
function meantBy({ key, code }: KeyboardEvent): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  const [, latin] = /^Key([A-Z])$/.exec(code) ?? []
  // An input method that is about to compose does not say what.
  return latin && (key === 'Process' || /^\p{L}$/u.test(key)) ? latin.toLowerCase() : key
}

/**
 * `act` gets the key, and whether it is held down, which turns nothing around again; it tells whether it
 * took it. It is not asked while one types, or is in a menu.
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
