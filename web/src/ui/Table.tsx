import type { ReactNode } from 'react'
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
  return (
    <div className={styles.scroll}>
      <table
        className={[styles.table, className].filter(Boolean).join(' ')}
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
