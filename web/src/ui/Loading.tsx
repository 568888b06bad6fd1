import type { CSSProperties, ReactNode } from 'react'
import { useTexts } from '../language/texts.ts'
import { texts } from './texts.ts'
import styles from './Loading.module.css'

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

interface SkeletonProps {
  width?: CSSProperties['width']
  height?: CSSProperties['height']
  /** Aspect ratio. Replaces the height. */
  ratio?: string
  round?: boolean
}

/** Grey box in place of content that is loading. */
export function Skeleton({ width = '100%', height = '1em', ratio, round }: SkeletonProps) {
  const box: CSSProperties = ratio ? { width, aspectRatio: ratio } : { width, height }
  return (
    <span
      className={styles.bone}
      style={round ? { ...box, borderRadius: '50%' } : box}
      aria-hidden="true"
    />
  )
}
