import { type ReactNode, useEffect } from 'react'
import { useFace } from '../device/face.ts'
import styles from './Page.module.css'

interface Props {
  /** Heading of the page and title of the browser tab. */
  title: string
  actions?: ReactNode
  lead?: ReactNode
  /** Links to parent pages, above the heading. */
  trail?: ReactNode
  /** `reading`: for text and forms. `wide`: for grids and tables. `full`: the whole window. */
  width?: 'reading' | 'wide' | 'full'
  hidesTitle?: boolean
  hasOwnHeading?: boolean
  children: ReactNode
}

export function Page(props: Props) {
  const { title, actions, lead, trail, width = 'wide', hidesTitle, hasOwnHeading, children } = props
  const { name } = useFace()
  useEffect(() => {
    document.title = `${title} - ${name}`
  }, [title, name])
  return (
    <div className={`${styles.page} ${styles[width]}`}>
      {!hasOwnHeading && (
        <header className={hidesTitle ? 'unseen' : styles.head}>
          <div>
            {trail && <div className={styles.trail}>{trail}</div>}
            <h1>{title}</h1>
            {lead && <p className={styles.lead}>{lead}</p>}
          </div>
          {actions && <div className="cluster">{actions}</div>}
        </header>
      )}
      {children}
    </div>
  )
}
