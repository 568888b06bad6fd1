import type { ReactNode } from 'react'
import styles from './Corner.module.css'

interface Props {
  /** Corner of the picture. The default is the end of the line. */
  side?: 'start'
  children: ReactNode
}

/** Short label in the corner of a picture. */
export function Corner({ side, children }: Props) {
  return (
    <span className={styles.corner} data-side={side}>
      {children}
    </span>
  )
}
