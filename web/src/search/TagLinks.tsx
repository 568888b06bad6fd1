import { Link } from '@tanstack/react-router'
import { Hash } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import styles from './Search.module.css'
import { texts } from './texts.ts'

interface Tag {
  tag: string
  content_count: number
}

export function TagLinks({ tags }: { tags: readonly Tag[] }) {
  const t = useTexts(texts)
  return (
    <ul className={styles.tags}>
      {tags.map(({ tag, content_count }) => (
        <li key={tag}>
          <Link to="/tags/$tag" params={{ tag }} className={styles.tag}>
            <Hash />
            <span className="clip">{tag}</span>
            <span className="fine">{t.works(content_count)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
