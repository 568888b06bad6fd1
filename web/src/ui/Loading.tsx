import type { CSSProperties, ReactNode } from 'react'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Problem.module.css'
import { texts } from './texts.ts'

interface Props {
  label?: string | undefined
  className?: string | undefined
  children: ReactNode
}

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
  ratio?: string
  round?: boolean
}

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

interface ProgressProps {
  /** Progress from 0 to 1. Undefined when unknown. */
  share: number | undefined
  label: string
}

export function Progress({ share, label }: ProgressProps) {
  const formats = useFormats()
  return (
    <progress
      className={styles.progress}
      aria-label={label}
      aria-valuetext={share === undefined ? undefined : formats.percent(share)}
      value={share}
    />
  )
}
