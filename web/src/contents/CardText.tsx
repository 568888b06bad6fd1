import type { ReactNode } from 'react'
import type { Content } from '#sdk'
import styles from './CardText.module.css'
import { CoverLink } from './CoverLink.tsx'

interface Props {
  content: Content
  /** Makes the title link to the editor instead of the content page. */
  edits?: boolean
  children: ReactNode
}

/** Text part of a card: the title in at most two lines, and `children` below. */
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
