import type { ReactNode } from 'react'
import styles from './Corner.module.css'

interface Props {
  /** Horizontal position in the picture. Default: the end of the line. */
  side?: 'start'
  children: ReactNode
}

/** Short label in a corner of a picture. */
export function Corner({ side, children }: Props) {
  return (
    <span className={styles.corner} data-side={side}>
      {children}
    </span>
  )
}
