import { type ReactNode, useId } from 'react'
import styles from './Panel.module.css'

interface Props {
  title: string
  /** Text below the heading. */
  hint?: ReactNode
  /** Content next to the heading. */
  beside?: ReactNode
  /** Renders an `aside` element, for details about the page's main content. */
  isAside?: boolean
  /** Shows the title only to screen readers. */
  hidesTitle?: boolean
  className?: string | undefined
  children: ReactNode
}

/** Section of a page with a heading and its own background. */
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

/** Layout with two columns on wide screens: the main content and a sidebar. */
export function Columns({ side, children }: { side: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.side}>{side}</div>
      <div className={styles.main}>{children}</div>
    </div>
  )
}
