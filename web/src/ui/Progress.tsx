import { useFormats } from '../language/formats.ts'
import styles from './Loading.module.css'

interface Props {
  /** Progress from 0 to 1. Undefined when unknown. */
  share: number | undefined
  label: string
}

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
