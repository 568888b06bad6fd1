/** Parts of pages with settings and tools: panels, columns and panes, facts, and texts to copy. */
import { Check, Copy as CopyIcon } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { IconButton } from './Button.tsx'
import { copyText, texts } from './copying.ts'
import styles from './Panel.module.css'
import { toast } from './toast.ts'

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

interface ShortenedProps {
  text: string
  /** Number of characters that are always visible at the end. */
  end?: number
}

/** Hides the middle of a text that does not fit, because readers recognize URLs and ids by their beginning and end. */
export function Shortened({ text, end = 8 }: ShortenedProps) {
  const cut = Math.max(0, text.length - end)
  return (
    <span className={styles.shortened} title={text}>
      <span className={styles.start}>{text.slice(0, cut)}</span>
      <span className={styles.end}>{text.slice(cut)}</span>
    </span>
  )
}

export function Copy({ text, label }: { text: string; label?: string }) {
  const t = useTexts(texts)
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    if (!(await copyText(text))) return toast(t.notCopied, { isBad: true })
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), 2000)
  }
  return (
    <IconButton
      icon={isCopied ? <Check /> : <CopyIcon />}
      label={isCopied ? t.copied : (label ?? t.copy)}
      onClick={() => void copy()}
    />
  )
}

export function Code({ text, label }: { text: string; label: string }) {
  return (
    <figure className={styles.code}>
      <figcaption className="row fine bold">
        <span>{label}</span>
        <Copy text={text} />
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling content must be reachable by keyboard */}
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}

interface PanesProps {
  /** Accessible names of the list and of the open entry. */
  labels: readonly [string, string]
  list: ReactNode
  /** The open entry of the list, or false. */
  open: ReactNode
  /** Shown beside the list while no entry is open. */
  nothing: ReactNode
}

/** A list beside its open entry. Narrow windows show either the list or the entry. */
export function Panes({ labels, list, open, nothing }: PanesProps) {
  const isOpen = open !== false
  return (
    <div className={styles.panes} data-open={isOpen} data-fills>
      <section className={styles.list} aria-label={labels[0]}>
        {list}
      </section>
      <section className={styles.open} aria-label={labels[1]}>
        {isOpen ? open : <div className={styles.nothing}>{nothing}</div>}
      </section>
    </div>
  )
}
