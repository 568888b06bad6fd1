import type { ReactNode } from 'react'
import styles from './Badge.module.css'

interface Props {
  tone?: 'plain' | 'good' | 'warn' | 'bad' | 'accent'
  children: ReactNode
}

export function Badge({ tone = 'plain', children }: Props) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>
}

/** Number on a badge, at most `99+`. Screen readers announce `label` instead. */
export function Count({ count, label }: { count: number; label: string }) {
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="unseen">{label}</span>
    </span>
  )
}
