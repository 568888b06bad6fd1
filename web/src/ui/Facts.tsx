import type { ReactNode } from 'react'
import { Copy } from './Copy.tsx'
import styles from './Facts.module.css'
import { Shortened } from './Shortened.tsx'

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
