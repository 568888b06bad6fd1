import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import styles from './Table.module.css'

interface Props {
  /** Read aloud. */
  label: string
  heads: readonly string[]
  /** What the last column is for, which has no head to be seen. */
  actions?: string
  /** Other rows are on their way. */
  isBusy?: boolean
  className?: string | undefined
  /** Its rows. */
  children: ReactNode
}

/** Dense, for scanning. Where its columns do not fit, each row stands as lines that name what they say. */
export function Table({ label, heads, actions, isBusy, className, children }: Props) {
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const { isStacked, scrolls } = useRoom(box)
  const look = [styles.table, actions && styles.acted, isStacked && styles.stacked, className]
  return (
    <div
      ref={setBox}
      className={styles.scroll}
      // What scrolls must be reachable by keyboard.
      {...(scrolls && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      <table
        className={look.filter(Boolean).join(' ')}
        style={isStacked ? namesOf(heads) : undefined}
        aria-label={label}
        aria-busy={isBusy}
      >
        <thead>
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

/** The heads, for the style to write before what stands under them. */
function namesOf(heads: readonly string[]): CSSProperties {
  return Object.fromEntries(heads.map((head, at) => [`--head-${at + 1}`, JSON.stringify(head)]))
}

/** Whether the columns fit into a box, and whether it scrolls even so. */
function useRoom(box: HTMLElement | null) {
  const [isStacked, setIsStacked] = useState(false)
  const [scrolls, setScrolls] = useState(false)
  /** What the columns take: known only while they stand beside each other. */
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
    for (const one of [box, ...box.children]) resized.observe(one)
    return () => resized.disconnect()
  }, [box, isStacked])
  return { isStacked, scrolls }
}
