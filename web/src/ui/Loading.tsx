import type { ReactNode } from 'react'
import { useTexts } from '../language/texts.ts'
import { texts } from './texts.ts'

interface Props {
  /** What is on its way, in words; just that something is, unless given. */
  label?: string | undefined
  className?: string | undefined
  /** Bones: they take the room of what will stand here. */
  children: ReactNode
}

/** In place of what is on its way, which is told aloud. */
export function Loading({ label, className, children }: Props) {
  const t = useTexts(texts)
  return (
    <div role="status" className={className}>
      <span className="unseen">{label ?? t.loading}</span>
      {children}
    </div>
  )
}
