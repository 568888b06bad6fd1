import type { ReactNode } from 'react'
import type { Content } from '#sdk'
import styles from './CardText.module.css'
import { CoverLink } from './CoverLink.tsx'

interface Props {
  content: Content
  /** Links to the editor. */
  edits?: boolean
  children: ReactNode
}

/** Text of a card: the title in at most two lines, and further details below. */
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
