import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { TextField } from './Field.tsx'
import styles from './SearchBox.module.css'

const PAUSE_MS = 250

interface Props {
  label: string
  hint: string
  maxLength?: number
  /** Text that the list is filtered by. */
  q: string
  /** Called with the trimmed text when the user pauses or presses Enter. */
  onSearch: (q: string) => void
}

export function SearchBox({ label, hint, maxLength, q, onSearch }: Props) {
  const [typed, setTyped] = useState(q)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef(q)
  useEffect(() => {
    // Shows the search text of the URL after Back and Forward.
    if (q !== sent.current) {
      sent.current = q
      setTyped(q)
    }
  }, [q])
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = (text: string) => {
    clearTimeout(timer.current)
    sent.current = text.trim()
    onSearch(sent.current)
  }
  return (
    <form
      className={styles.search}
      role="search"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        search(typed)
      }}
    >
      <Search aria-hidden="true" />
      <TextField
        type="search"
        label={label}
        hidesLabel
        placeholder={hint}
        value={typed}
        maxLength={maxLength}
        autoComplete="off"
        spellCheck="false"
        onChange={({ target: { value } }) => {
          setTyped(value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => search(value), PAUSE_MS)
        }}
      />
    </form>
  )
}
