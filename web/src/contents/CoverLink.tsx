import { Link } from '@tanstack/react-router'
import type { Content } from '#sdk'
import { useLangOf } from '../language/script.ts'
import styles from './CoverLink.module.css'

interface Props {
  content: Content
  /** Leads to where it is edited. */
  edits?: boolean
}

/**
 * The title of a work, by which all that it stands on leads there: the nearest box with a position.
 * Other links in that box are seen above it with a `z-index` of 2.
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
