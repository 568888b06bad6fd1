import type { ReactNode } from 'react'
import styles from './Columns.module.css'

/** Parts of a page below each other, and what tells about them: before them, or at their end. */
export function Columns({ side, children }: { side: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.side}>{side}</div>
      <div className={styles.main}>{children}</div>
    </div>
  )
}
