import type { ReactNode } from 'react'
import styles from './Badge.module.css'

interface Props {
  tone?: 'plain' | 'good' | 'warn' | 'bad' | 'accent'
  children: ReactNode
}

/** Short label that shows a state. */
export function Badge({ tone = 'plain', children }: Props) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>
}
