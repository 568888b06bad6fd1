import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import type { Content } from '#sdk'
import { useTexts } from '../language/texts.ts'
import styles from './Cover.module.css'
import { texts } from './texts.ts'

/** Card for content that has no picture or video. */
export function Cover({
  content: { id, title, description, thumbnail_url },
}: {
  content: Content
}) {
  const t = useTexts(texts)
  return (
    <div className={styles.cover}>
      {thumbnail_url && <img src={thumbnail_url} alt="" />}
      <div className={styles.card}>
        <FileText aria-hidden="true" />
        <p className={styles.title}>{title}</p>
        {description && <p className={styles.text}>{description}</p>}
        <Link to="/contents/$id" params={{ id }} className={styles.open}>
          {t.open}
        </Link>
      </div>
    </div>
  )
}
