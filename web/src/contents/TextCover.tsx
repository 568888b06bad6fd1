import { FileText } from 'lucide-react'
import type { Content } from '#sdk'
import { useTexts } from '../language/texts.ts'
import styles from './TextCover.module.css'
import { texts } from './texts.ts'

/** Longer texts use a smaller font. Length in characters. */
const SHORT = 48

/** Cover of an article without a picture: its description, or its title. */
export function TextCover({ content }: { content: Content }) {
  const t = useTexts(texts)
  const { category, title, description } = content
  const words = description?.trim() || title
  return (
    // The card shows title and type next to it.
    <span className={styles.cover} aria-hidden="true">
      <span className={styles.label} data-category={category}>
        <FileText />
        {t.type.article}
      </span>
      <span className={styles.words} data-length={words.length > SHORT ? 'long' : 'short'}>
        {words}
      </span>
    </span>
  )
}
