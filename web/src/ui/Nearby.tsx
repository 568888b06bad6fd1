import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { isReturn } from '../device/history.ts'

interface Props {
  className?: string | undefined
  children: ReactNode
}

/**
 * Renders its children once their place is less than a screen below the visible area. Renders them immediately if the
 * URL has a fragment, and after Back or Forward, so that the page can scroll to its earlier position.
 */
export function Nearby({ className = '', children }: Props) {
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
