import type { ReactNode } from 'react'
import styles from './Columns.module.css'

/** Layout with two columns on wide screens: the main content and a sidebar. */
export function Columns({ side, children }: { side: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.side}>{side}</div>
      <div className={styles.main}>{children}</div>
    </div>
  )
}
