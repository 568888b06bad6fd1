/** Shortcuts of a page: for keys that nothing else on it takes. */
import { useEffect, useEffectEvent } from 'react'

const TYPING = 'input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]'
const OTHERS = '[role=dialog], [role=menu], [role=listbox], [role=tablist], [data-own-keys]'
const PRESSED_BY_SPACE = 'button, a, summary, input, [role=button]'

/** `act` gets the key and tells whether it took it. It is not asked while one types, or is in a menu. */
export function useKeys(act: (key: string) => boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target instanceof Element ? event.target : null
    if (target?.closest(`${TYPING}, ${OTHERS}`)) return
    if (event.key === ' ' && target?.closest(PRESSED_BY_SPACE)) return
    if (act(event.key)) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
