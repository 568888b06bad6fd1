import { Search as SearchIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { TextField } from '../ui/Field.tsx'
import styles from './admin.module.css'
import { texts } from './texts.ts'

const PAUSE_MS = 250

interface Props {
  /** Search text from the query string. */
  q: string
  onSearch: (q: string) => void
}

/** Search field. Searches after a short pause in typing, or immediately on Enter. */
export function Search({ q, onSearch }: Props) {
  const t = useTexts(texts)
  const [typed, setTyped] = useState(q)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef(q)
  useEffect(() => {
    // Back and Forward change the search text without typing.
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
      onSubmit={(event) => {
        event.preventDefault()
        search(typed)
      }}
    >
      <SearchIcon aria-hidden="true" />
      <TextField
        type="search"
        label={t.search}
        hidesLabel
        placeholder={t.searchHint}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target: { value } }) => {
          setTyped(value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => search(value), PAUSE_MS)
        }}
      />
    </form>
  )
}
