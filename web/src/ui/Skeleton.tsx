import type { CSSProperties } from 'react'
import styles from './Skeleton.module.css'

interface Props {
  width?: CSSProperties['width']
  height?: CSSProperties['height']
  /** Aspect ratio. Replaces the height. */
  ratio?: string
  round?: boolean
}

/** Grey box in place of content that is loading. */
export function Skeleton({ width = '100%', height = '1em', ratio, round }: Props) {
  const box: CSSProperties = ratio ? { width, aspectRatio: ratio } : { width, height }
  return (
    <span
      className={styles.bone}
      style={round ? { ...box, borderRadius: '50%' } : box}
      aria-hidden="true"
    />
  )
}
