import { Link } from '@tanstack/react-router'
import type { Content } from '#sdk'
import { useLangOf } from '../language/script.ts'
import styles from './CoverLink.module.css'

interface Props {
  content: Content
  /** Links to the editor. */
  edits?: boolean
}

/**
 * A title whose link covers the nearest positioned ancestor. Other links in that box need `z-index: 2` to
 * stay clickable.
 */
export function CoverLink({ content: { id, title }, edits = false }: Props) {
  return (
    <Link
      to={edits ? '/publish/$id' : '/contents/$id'}
      params={{ id }}
      className={styles.link}
      lang={useLangOf(title)}
    >
      {title}
    </Link>
  )
}
