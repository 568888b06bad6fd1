import styles from './Shortened.module.css'

interface Props {
  text: string
  /** Number of characters that are always visible at the end. */
  end?: number
}

/** Shows an id or URL on one line. If it does not fit, omits its middle, because the ends identify it. */
export function Shortened({ text, end = 8 }: Props) {
  const at = Math.max(0, text.length - end)
  return (
    <span className={styles.shortened} title={text}>
      <span className={styles.start}>{text.slice(0, at)}</span>
      <span className={styles.end}>{text.slice(at)}</span>
    </span>
  )
}
