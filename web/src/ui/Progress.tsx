import { useFormats } from '../language/formats.ts'
import styles from './Progress.module.css'

interface Props {
  /** Progress from 0 to 1, undefined while unknown. */
  share: number | undefined
  /** Accessible name of the progress bar. */
  label: string
}

/** Progress bar. The number is shown separately. */
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
