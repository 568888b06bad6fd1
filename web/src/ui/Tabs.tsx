import { Link, type LinkProps, useLocation } from '@tanstack/react-router'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './Tabs.module.css'

/** Row of tabs. If it scrolls, it fades at each edge beyond which more tabs follow. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const row = useRef<HTMLElement>(null)
  const address = useLocation({ select: ({ href }) => href })
  useLayoutEffect(() => {
    const strip = row.current
    if (!strip) return undefined
    // Watches the sizes of the tabs, because counts in tabs load later and move the current tab.
    const resized = new ResizeObserver(() => {
      showCurrent(strip)
      markEdges(strip)
    })
    for (const element of [strip, ...strip.children]) resized.observe(element)
    return () => resized.disconnect()
  }, [address])
  return (
    <nav
      ref={row}
      className={styles.tabs}
      aria-label={label}
      onScroll={({ currentTarget }) => markEdges(currentTarget)}
    >
      {children}
    </nav>
  )
}

function showCurrent(row: HTMLElement): void {
  const current = row.querySelector<HTMLElement>('[aria-current="page"]')
  if (!current) return
  const { left, width } = current.getBoundingClientRect()
  const middle = left + width / 2 - row.getBoundingClientRect().left
  row.scrollLeft += middle - row.clientWidth / 2
}

/** Sets `data-before` and `data-after` if there are tabs beyond the start and the end of the row. */
function markEdges(row: HTMLElement): void {
  const { scrollLeft, scrollWidth, clientWidth } = row
  // One pixel of tolerance, because only `scrollLeft` has fractions.
  row.toggleAttribute('data-before', scrollLeft > 1)
  row.toggleAttribute('data-after', scrollLeft < scrollWidth - clientWidth - 1)
}

export function Tab({ children, ...link }: LinkProps & { children: ReactNode }) {
  return (
    <Link activeOptions={{ exact: true, includeSearch: true }} {...link} className={styles.tab}>
      {children}
    </Link>
  )
}
