import type { ReactNode } from 'react'
import { Badge } from '../ui/Badge.tsx'
import styles from './Account.module.css'

interface Props {
  title: string
  badge?: string | false
  value?: string
  note: string
  /** Buttons that change the value. */
  children?: ReactNode
}

export function Setting({ title, badge, value, note, children }: Props) {
  return (
    <div className={styles.setting}>
      <div>
        <h3 className="bold">
          {title} {badge && <Badge tone="good">{badge}</Badge>}
        </h3>
        {value && <p>{value}</p>}
        <p className="fine">{note}</p>
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  )
}
