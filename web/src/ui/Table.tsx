import { type ReactNode, useEffect, useState } from 'react'
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

/** Dense, for scanning; on a phone it scrolls sideways within itself. */
export function Table({ label, heads, actions, isBusy, className, children }: Props) {
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const scrolls = useScrolls(box)
  return (
    <div
      ref={setBox}
      className={styles.scroll}
      // What scrolls must be reachable by keyboard.
      {...(scrolls && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      <table
        className={[styles.table, actions && styles.acted, className].filter(Boolean).join(' ')}
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

/** Whether what is in a box is wider than the box. */
function useScrolls(box: HTMLElement | null): boolean {
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    if (!box) return undefined
    const look = () => setScrolls(box.scrollWidth > box.clientWidth)
    const resized = new ResizeObserver(look)
    for (const one of [box, ...box.children]) resized.observe(one)
    return () => resized.disconnect()
  }, [box])
  return scrolls
}
