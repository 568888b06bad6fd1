import { type ReactNode, useEffect } from 'react'
import styles from './Page.module.css'

interface Props {
  /** Names the page: its heading, and the title of the window. */
  title: string
  /** Beside the heading. */
  actions?: ReactNode
  /** Under the heading. */
  lead?: ReactNode
  /** Above the heading: links to what the page is a part of. */
  trail?: ReactNode
  /** `reading` for text and forms, `wide` for grids and tables, `full` for what fills the window. */
  width?: 'reading' | 'wide' | 'full'
  /** Where what is shown names the page by itself, its heading is read aloud only. */
  hidesTitle?: boolean
  /** The heading stands further down, among `children`. */
  hasOwnHeading?: boolean
  children: ReactNode
}

export function Page(props: Props) {
  const { title, actions, lead, trail, width = 'wide', hidesTitle, hasOwnHeading, children } = props
  useEffect(() => {
    document.title = `${title} · Plaza`
  }, [title])
  return (
    <div className={`${styles.page} ${styles[width]}`}>
      {!hasOwnHeading && (
        <header className={hidesTitle ? 'unseen' : styles.head}>
          <div>
            {trail && <div className={styles.trail}>{trail}</div>}
            <h1>{title}</h1>
            {lead && <p className={styles.lead}>{lead}</p>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {children}
    </div>
  )
}
