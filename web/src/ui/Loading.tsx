import type { ReactNode } from 'react'
import { useTexts } from '../language/texts.ts'
import { texts } from './texts.ts'

interface Props {
  /** Text for screen readers. The default says that something is loading. */
  label?: string | undefined
  className?: string | undefined
  /** Placeholders with the size of the content. */
  children: ReactNode
}

/** Placeholder while content loads, announced to screen readers. */
export function Loading({ label, className, children }: Props) {
  const t = useTexts(texts)
  return (
    <div role="status" className={className}>
      <span className="unseen">{label ?? t.loading}</span>
      {children}
    </div>
  )
}
