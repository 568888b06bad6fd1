import type { ReactNode } from 'react'
import styles from './Overlay.module.css'

interface Props {
  /** Makes the layer nearly opaque, so that its text is legible. */
  hides?: boolean
  role?: 'alert' | 'status'
  children: ReactNode
}

export function Overlay({ hides, role, children }: Props) {
  return (
    <div className={styles.overlay} data-hides={hides || undefined} role={role}>
      {children}
    </div>
  )
}
