import type { ReactNode } from 'react'
import { Copy } from './Copy.tsx'
import styles from './Facts.module.css'
import { Shortened } from './Shortened.tsx'

/** What is known of a thing, line by line. */
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

/** A value for machines, such as an id, that one takes along. */
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
