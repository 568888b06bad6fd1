import type { ReactNode } from 'react'
import { Copy } from './Copy.tsx'
import styles from './Panel.module.css'

/** List of name and value pairs. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Shows an id or similar value with a copy button. */
export function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className={styles.copied}>
      <code>
        <Shortened text={text} />
      </code>
      <Copy text={text} label={label} />
    </span>
  )
}

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
