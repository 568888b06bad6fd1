import styles from './Shortened.module.css'

interface Props {
  text: string
  /** How many characters at its end are seen in any case. */
  end?: number
}

/** A text for machines on one line: where it does not fit, its middle is left out, for its ends tell it apart. */
export function Shortened({ text, end = 8 }: Props) {
  const at = Math.max(0, text.length - end)
  return (
    <span className={styles.shortened} title={text}>
      <span className={styles.start}>{text.slice(0, at)}</span>
      <span className={styles.end}>{text.slice(at)}</span>
    </span>
  )
}
