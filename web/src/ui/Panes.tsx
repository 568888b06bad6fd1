import type { ReactNode } from 'react'
import styles from './Panes.module.css'

interface Props {
  /** Accessible names of the list and of the open entry. */
  labels: readonly [string, string]
  list: ReactNode
  /** The open entry of the list, or false. */
  open: ReactNode
  /** Shown beside the list while no entry is open. */
  nothing: ReactNode
}

/** A list beside its open entry. Narrow windows show either the list or the entry. */
export function Panes({ labels, list, open, nothing }: Props) {
  const isOpen = open !== false
  return (
    <div className={styles.panes} data-open={isOpen} data-fills>
      <section className={styles.list} aria-label={labels[0]}>
        {list}
      </section>
      <section className={styles.open} aria-label={labels[1]}>
        {isOpen ? open : <div className={styles.nothing}>{nothing}</div>}
      </section>
    </div>
  )
}
