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
    <section className={styles.scroll} aria-label={label} aria-busy={isBusy}>
      <table className={[styles.table, className].filter(Boolean).join(' ')}>
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
    </section>
  )
}
