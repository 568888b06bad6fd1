import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import styles from './Button.module.css'

interface Look {
  /**
   * `primary`: at most one per page. `plain`: inside text and bars. `danger`: deletes or ends something. `quiet`:
   * everywhere else.
   */
  look?: 'primary' | 'quiet' | 'plain' | 'danger'
  size?: 'small' | 'medium'
  icon?: ReactNode
  wide?: boolean
}

function classOf({ look = 'quiet', size = 'medium', wide }: Look, className?: string): string {
  return [styles.button, styles[look], styles[size], wide && styles.wide, className]
    .filter(Boolean)
    .join(' ')
}

type ButtonProps = Look &
  Omit<ComponentProps<'button'>, 'children'> & {
    children: ReactNode
    /** Shows a spinner and ignores clicks. */
    busy?: boolean
  }

export function Button(props: ButtonProps) {
  const { look, size, icon, wide, busy, className, children, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ look, size, wide }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {busy ? <Spinner /> : icon}
      <span className={styles.label}>{children}</span>
    </button>
  )
}

type LinkButtonProps = Look & LinkProps & { className?: string; children: ReactNode }

export function LinkButton(props: LinkButtonProps) {
  const { look, size, icon, wide, className, children, ...rest } = props
  return (
    <Link {...rest} className={classOf({ look, size, wide }, className)}>
      {icon}
      <span className={styles.label}>{children}</span>
    </Link>
  )
}

/** Icon of a running action. Hidden from screen readers, because a text next to the icon describes the action. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  icon: ReactNode
  /** Accessible name, also shown as a tooltip. */
  label: string
  /** State of a toggle button. Undefined for other buttons. */
  pressed?: boolean
  count?: ReactNode
}

export function IconButton({ icon, label, pressed, count, className, ...rest }: IconButtonProps) {
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
