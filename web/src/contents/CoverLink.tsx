import { Link } from '@tanstack/react-router'
import type { Content } from '#sdk'
import { useLangOf } from '../language/script.ts'
import styles from './CoverLink.module.css'

interface Props {
  content: Content
  /** Links to the editor instead of the content page. */
  edits?: boolean
}

/**
 * Title whose link covers the closest positioned ancestor. Other links inside that ancestor need `z-index: 2`
 * to be clickable.
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
