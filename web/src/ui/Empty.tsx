import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LinkButton } from './Button.tsx'
import styles from './Empty.module.css'

interface Props {
  icon?: ReactNode
  title: string
  /** Of the heading that the title is: below the page's own, unless given. */
  level?: 1 | 2 | 3
  /** What it is for, and the next step. */
  children?: ReactNode
  action?: ReactNode
  /** Where the words of `action` lead. */
  link?: LinkProps
}

/** In place of an empty list: what will stand here, and how it gets there. */
export function Empty({ icon, title, level = 2, children, action, link }: Props) {
  const Title = `h${level}` as const
  return (
    <div className={styles.empty}>
      {icon && <span className={styles.icon}>{icon}</span>}
      <Title className={styles.title}>{title}</Title>
      {children && <p className={styles.text}>{children}</p>}
      {link ? (
        <LinkButton look="primary" {...link}>
          {action}
        </LinkButton>
      ) : (
        action
      )}
    </div>
  )
}
