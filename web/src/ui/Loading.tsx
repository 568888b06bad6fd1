import type { ReactNode } from 'react'
import { useTexts } from '../language/texts.ts'
import { texts } from './texts.ts'

interface Props {
  /** Text for screen readers. By default it says that content is loading. */
  label?: string | undefined
  className?: string | undefined
  /** Placeholders of the same size as the content. */
  children: ReactNode
}

/** Shows placeholders while content loads. Screen readers announce the label. */
export function Loading({ label, className, children }: Props) {
  const t = useTexts(texts)
  return (
    <div role="status" className={className}>
      <span className="unseen">{label ?? t.loading}</span>
      {children}
    </div>
  )
}
