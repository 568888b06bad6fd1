import { useFormats } from '../language/formats.ts'
import styles from './Progress.module.css'

interface Props {
  /** From 0 to 1; undefined while it cannot be told. */
  share: number | undefined
  /** What is under way. */
  label: string
}

/** How far something is. The figure stands beside it, for who sees it. */
export function Progress({ share, label }: Props) {
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
