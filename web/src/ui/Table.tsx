/** Tables with their pager, and the search box that filters the rows. */
import { Search } from 'lucide-react'
import {
  type CSSProperties,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTexts } from '../language/texts.ts'
import { Button } from './Button.tsx'
import { TextField } from './Field.tsx'
import { Loading, Skeleton } from './Loading.tsx'
import styles from './Table.module.css'
import { texts } from './texts.ts'

interface Props {
  label: string
  heads: readonly string[]
  /** Accessible header of the last column, whose header is not visible. */
  actions?: string
  isBusy?: boolean
  className?: string | undefined
  children: ReactNode
}

/** Table of rows. If the columns do not fit, each row becomes a list of labelled lines. */
export function Table({ label, heads, actions, isBusy, className, children }: Props) {
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const { isStacked, scrolls } = useRoom(box)
  const look = [styles.table, actions && styles.acted, isStacked && styles.stacked, className]
  return (
    <div
      ref={setBox}
      className={styles.scroll}
      // Makes a scrolling table reachable by keyboard.
      {...(scrolls && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      <table
        className={look.filter(Boolean).join(' ')}
        data-stacked={isStacked || undefined}
        style={isStacked ? namesOf(heads) : undefined}
        aria-label={label}
        aria-busy={isBusy}
      >
        <thead className={isStacked ? 'unseen' : undefined}>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            {actions && (
              <th scope="col">
                <span className="unseen">{actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** Returns the column headers as CSS variables. The stylesheet uses them as labels of stacked rows. */
function namesOf(heads: readonly string[]): CSSProperties {
  return Object.fromEntries(
    heads.map((head, index) => [`--head-${index + 1}`, JSON.stringify(head)]),
  )
}

function useRoom(box: HTMLElement | null) {
  const [isStacked, setIsStacked] = useState(false)
  const [scrolls, setScrolls] = useState(false)
  /** Width of all columns in pixels. It can be measured only while the rows are not stacked. */
  const needed = useRef(0)
  useLayoutEffect(() => {
    if (!box) return undefined
    const look = () => {
      if (!isStacked) needed.current = box.scrollWidth
      setIsStacked(needed.current > box.clientWidth)
      setScrolls(isStacked && box.scrollWidth > box.clientWidth)
    }
    look()
    const resized = new ResizeObserver(look)
    for (const element of [box, ...box.children]) resized.observe(element)
    return () => resized.disconnect()
  }, [box, isStacked])
  return { isStacked, scrolls }
}

interface PagerProps {
  page: number
  pages: number
  onPage: (page: number) => void
}

export function Pager({ page, pages, onPage }: PagerProps) {
  const t = useTexts(texts)
  if (pages <= 1) return null
  return (
    <nav className={styles.pager} aria-label={t.pager}>
      {/* Uses `aria-disabled`, because a disabled button would lose the focus. */}
      <Button size="small" aria-disabled={page <= 1} onClick={() => page > 1 && onPage(page - 1)}>
        {t.previous}
      </Button>
      <span>{t.pages(page, pages)}</span>
      <Button
        size="small"
        aria-disabled={page >= pages}
        onClick={() => page < pages && onPage(page + 1)}
      >
        {t.next}
      </Button>
    </nav>
  )
}

export function TableSkeleton({ rows = 4, isDense = false }: { rows?: number; isDense?: boolean }) {
  return (
    <Loading className={styles.scroll}>
      <div className={styles.head}>
        <Skeleton width="30%" height="16px" />
      </div>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={isDense ? styles.line : styles.row}>
          <Skeleton width={`${88 - (index % 3) * 14}%`} height="20px" />
        </div>
      ))}
    </Loading>
  )
}

const PAUSE_MS = 250

interface SearchBoxProps {
  label: string
  hint: string
  maxLength?: number
  /** Text that the list is filtered by. */
  q: string
  /** Called with the trimmed text when the user pauses or presses Enter. */
  onSearch: (q: string) => void
}

export function SearchBox({ label, hint, maxLength, q, onSearch }: SearchBoxProps) {
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
