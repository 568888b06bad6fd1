import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LinkButton } from './Button.tsx'
import styles from './Problem.module.css'

interface Props {
  icon?: ReactNode
  title: string
  level?: 1 | 2 | 3
  children?: ReactNode
  action?: ReactNode
  /** Target of a link with the text `action`. Without a text there is no link. */
  link?: LinkProps
}

export function Empty({ icon, title, level = 2, children, action, link }: Props) {
  const Title = `h${level}` as const
  return (
    <div className={styles.empty}>
      {icon && <span className={styles.icon}>{icon}</span>}
      <Title className={styles.title}>{title}</Title>
      {children && <p className={styles.text}>{children}</p>}
      {link && action ? (
        <LinkButton look="primary" {...link}>
          {action}
        </LinkButton>
      ) : (
        action
      )}
    </div>
  )
}
