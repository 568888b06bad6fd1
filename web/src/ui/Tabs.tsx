import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './Tabs.module.css'

interface Props {
  label: string
  children: ReactNode
}

/** Parts of a page that each have an address: links, the one shown among them marked. */
export function Tabs({ label, children }: Props) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  )
}

export function Tab({ children, ...link }: LinkProps & { children: ReactNode }) {
  return (
    <Link {...link} className={styles.tab} activeOptions={{ exact: true, includeSearch: true }}>
      {children}
    </Link>
  )
}
