import type { ReactNode } from 'react'
import type { Content } from '#sdk'
import styles from './CardText.module.css'
import { CoverLink } from './CoverLink.tsx'

interface Props {
  content: Content
  /** Leads to where it is edited. */
  edits?: boolean
  children: ReactNode
}

/** Under the picture of a work in a list: its title in two lines at most, and what else is told of it. */
export function CardText({ content, edits, children }: Props) {
  return (
    <div className={styles.lines}>
      <h3 className={styles.title}>
        <CoverLink content={content} edits={edits ?? false} />
      </h3>
      {children}
    </div>
  )
}
