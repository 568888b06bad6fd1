import type { CSSProperties } from 'react'
import styles from './Skeleton.module.css'

interface Props {
  width?: CSSProperties['width']
  height?: CSSProperties['height']
  /** In place of a height, so that what comes takes the same room. */
  ratio?: string
  round?: boolean
}

/** Keeps the place of what is on its way. */
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
