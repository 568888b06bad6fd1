import { type ReactNode, useId } from 'react'
import styles from './Panel.module.css'
import { Copy } from './Copy.tsx'

interface Props {
  title: string
  hint?: ReactNode
  beside?: ReactNode
  isAside?: boolean
  hidesTitle?: boolean
  className?: string | undefined
  children: ReactNode
}

export function Panel(props: Props) {
  const { title, hint, beside, isAside = false, hidesTitle = false, className, children } = props
  const id = useId()
  const Part = isAside ? 'aside' : 'section'
  return (
    <Part className={[styles.panel, className].filter(Boolean).join(' ')} aria-labelledby={id}>
      <div className={hidesTitle ? 'unseen' : styles.head}>
        <h2 id={id}>{title}</h2>
        {beside}
        {hint && <p className={styles.hint}>{hint}</p>}
      </div>
      {children}
    </Part>
  )
}

export function Columns({ side, children }: { side: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.side}>{side}</div>
      <div className={styles.main}>{children}</div>
    </div>
  )
}

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

interface FactsProps {
  text: string
  /** Number of characters that are always visible at the end. */
  end?: number
}

/** Hides the middle of a text that does not fit, because readers recognize URLs and ids by their beginning and end. */
export function Shortened({ text, end = 8 }: FactsProps) {
  const cut = Math.max(0, text.length - end)
  return (
    <span className={styles.shortened} title={text}>
      <span className={styles.start}>{text.slice(0, cut)}</span>
      <span className={styles.end}>{text.slice(cut)}</span>
    </span>
  )
}
