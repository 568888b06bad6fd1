import { useNavigate, useSearch } from '@tanstack/react-router'
import { Search, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { lazyPart } from '../device/connected.ts'
import styles from './TopBar.module.css'
import { texts } from './texts.ts'

const Suggestions = lazyPart(() => import('./Suggestions.tsx'), 'Suggestions')

/**
 * Search field with suggestions. The arrow keys move between the field and the suggestions. Escape closes the
 * suggestions.
 */
export function SearchField() {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const box = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const shown = useSearch({ strict: false, select: ({ q }: { q?: string }) => q ?? '' })
  const [text, setText] = useState(shown)
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => setText(shown), [shown])
  useFocusBySlash(field)

  const search = (event: FormEvent) => {
    event.preventDefault()
    const q = text.trim()
    if (!q) return
    setIsOpen(false)
    field.current?.blur()
    void navigate({ to: '/search', search: { q } })
  }
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      // Prevents the browser from clearing the field.
      event.preventDefault()
      setIsOpen(false)
      field.current?.focus()
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || !box.current) return
    event.preventDefault()
    const stops = [field.current, ...box.current.querySelectorAll<HTMLElement>('li a')]
    const index = stops.findIndex((stop) => stop === document.activeElement)
    stops[(index + step + stops.length) % stops.length]?.focus()
  }
  return (
    <form
      ref={box}
      className={styles.field}
      role="search"
      action="/search"
      onSubmit={search}
      onKeyDown={move}
      onBlur={({ relatedTarget }) => {
        if (!box.current?.contains(relatedTarget)) setIsOpen(false)
      }}
    >
      <Search />
      <input
        ref={field}
        name="q"
        type="search"
        value={text}
        maxLength={100}
        autoComplete="off"
        enterKeyHint="search"
        placeholder={t.search}
        aria-label={t.search}
        aria-keyshortcuts="/"
        onFocus={() => setIsOpen(true)}
        onChange={({ target }) => {
          setText(target.value)
          setIsOpen(true)
        }}
      />
      {text && (
        <button
          type="button"
          className={styles.clear}
          aria-label={t.clear}
          onClick={() => {
            setText('')
            field.current?.focus()
          }}
        >
          <X />
        </button>
      )}
      {isOpen && text.trim() && (
        <Suspense>
          <Suggestions q={text.trim()} close={() => setIsOpen(false)} />
        </Suspense>
      )}
    </form>
  )
}

/** The slash key focuses the first visible search field, unless the user is typing. */
function useFocusBySlash(field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const ended = new AbortController()
    const focus = (event: globalThis.KeyboardEvent) => {
      const { activeElement } = document
      const isTyping = activeElement?.closest('input, textarea, select, [contenteditable], iframe')
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey
      if (event.key !== '/' || hasModifier || isTyping || event.defaultPrevented) return
      if (!field.current?.checkVisibility()) return
      event.preventDefault()
      field.current.focus()
      field.current.select()
    }
    addEventListener('keydown', focus, { signal: ended.signal })
    return () => ended.abort()
  }, [field])
}
