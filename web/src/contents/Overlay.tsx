import type { ReactNode } from 'react'
import styles from './Overlay.module.css'

interface Props {
  /** Words are read on it, so next to nothing is seen through it. */
  hides?: boolean
  role?: 'alert' | 'status'
  children: ReactNode
}

/** A dark layer over a picture; what is said or done stands in its middle. */
export function Overlay({ hides, role, children }: Props) {
  return (
    <div className={styles.overlay} data-hides={hides || undefined} role={role}>
      {children}
    </div>
  )
}
