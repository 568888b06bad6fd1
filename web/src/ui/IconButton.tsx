import type { ComponentProps, ReactNode } from 'react'
import styles from './Button.module.css'

interface Props extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  icon: ReactNode
  /** Accessible name, also shown as a tooltip. */
  label: string
  /** State of a toggle button. Undefined for other buttons. */
  pressed?: boolean
  count?: ReactNode
}

export function IconButton({ icon, label, pressed, count, className, ...rest }: Props) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      aria-pressed={pressed}
      className={[styles.iconButton, count !== undefined && styles.counted, className]
        .filter(Boolean)
        .join(' ')}
    >
      {icon}
      {count !== undefined && <span className={styles.count}>{count}</span>}
    </button>
  )
}
