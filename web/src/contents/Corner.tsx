import type { ReactNode } from 'react'
import styles from './Corner.module.css'

interface Props {
  /** Where there is none, at the end of the line. */
  side?: 'start'
  children: ReactNode
}

/** A few words in the corner of a picture, readable on any. */
export function Corner({ side, children }: Props) {
  return (
    <span className={styles.corner} data-side={side}>
      {children}
    </span>
  )
}
