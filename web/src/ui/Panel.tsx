import { type ReactNode, useId } from 'react'
import styles from './Panel.module.css'

interface Props {
  title: string
  /** Shown under the heading. */
  hint?: ReactNode
  /** Shown next to the heading. */
  beside?: ReactNode
  /** Renders an `aside`, for details about the rest of the page. */
  isAside?: boolean
  /** Shows the title to screen readers only. */
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
