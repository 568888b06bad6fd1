import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useFace } from '../device/face.ts'
import { isReturn } from '../device/history.ts'
import styles from './Page.module.css'

interface Props {
  /** Heading of the page and title of the browser tab. */
  title: string
  actions?: ReactNode
  lead?: ReactNode
  /** Links to parent pages, above the heading. */
  trail?: ReactNode
  /** `reading`: for text and forms. `wide`: for grids and tables. `full`: the whole window. */
  width?: 'reading' | 'wide' | 'full'
  hidesTitle?: boolean
  hasOwnHeading?: boolean
  children: ReactNode
}

export function Page(props: Props) {
  const { title, actions, lead, trail, width = 'wide', hidesTitle, hasOwnHeading, children } = props
  const { name } = useFace()
  useEffect(() => {
    document.title = `${title} - ${name}`
  }, [title, name])
  return (
    <div className={`${styles.page} ${styles[width]}`}>
      {!hasOwnHeading && (
        <header className={hidesTitle ? 'unseen' : styles.head}>
          <div>
            {trail && <div className={styles.trail}>{trail}</div>}
            <h1>{title}</h1>
            {lead && <p className={styles.lead}>{lead}</p>}
          </div>
          {actions && <div className="cluster">{actions}</div>}
        </header>
      )}
      {children}
    </div>
  )
}

interface NearbyProps {
  className?: string | undefined
  children: ReactNode
}

/**
 * Renders its children once their place is less than a screen below the visible area. Renders them immediately if the
 * URL has a fragment, and after Back or Forward, so that the page can scroll to its earlier position.
 */
export function Nearby({ className = '', children }: NearbyProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(() => location.hash !== '' || isReturn())
  useEffect(() => {
    if (isNear || !place.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => setIsNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '0px 0px 100% 0px' },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNear])
  return (
    <div ref={place} className={`nearby ${className}`}>
      {isNear && <Suspense>{children}</Suspense>}
    </div>
  )
}
