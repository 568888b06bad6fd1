import { Link, type LinkProps, useLocation } from '@tanstack/react-router'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './Tabs.module.css'

interface Props {
  label: string
  children: ReactNode
}

export function Tabs({ label, children }: Props) {
  const row = useRef<HTMLElement>(null)
  const address = useLocation({ select: ({ href }) => href })
  useLayoutEffect(() => {
    if (!row.current) return undefined
    // Watches the sizes of the tabs, because counts in tabs load later and move the current tab.
    const resized = new ResizeObserver(() => showCurrent(row.current))
    for (const tab of row.current.children) resized.observe(tab)
    return () => resized.disconnect()
  }, [address])
  return (
    <nav ref={row} className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  )
}

function showCurrent(row: HTMLElement | null): void {
  const current = row?.querySelector<HTMLElement>('[aria-current="page"]')
  if (!row || !current) return
  const { left, width } = current.getBoundingClientRect()
  const middle = left + width / 2 - row.getBoundingClientRect().left
  row.scrollLeft += middle - row.clientWidth / 2
}

export function Tab({ children, ...link }: LinkProps & { children: ReactNode }) {
  return (
    <Link activeOptions={{ exact: true, includeSearch: true }} {...link} className={styles.tab}>
      {children}
    </Link>
  )
}
