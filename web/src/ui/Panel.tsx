import { type ReactNode, useId } from 'react'
import styles from './Panel.module.css'

interface Props {
  title: string
  /** Under the heading. */
  hint?: ReactNode
  /** Across from the heading. */
  beside?: ReactNode
  /** It tells about the rest of the page rather than being a part of it. */
  isAside?: boolean
  /** What is in it speaks for itself: the title is read aloud only. */
  hidesTitle?: boolean
  className?: string | undefined
  children: ReactNode
}

/** A part of a page, on a surface of its own, named by its heading. */
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
